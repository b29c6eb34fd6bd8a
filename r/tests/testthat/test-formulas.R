schema <- dpvi_schema(list(columns = list(
  y = list(type = "real", mean = 10, sd = 5),
  k = list(type = "int", lower = 0, upper = 1),
  x = list(type = "real", lower = 1, upper = 100, mean = 30, sd = 20),
  z = list(type = "real"),
  n = list(type = "int", lower = 1, upper = 50),
  a = list(type = "category", levels = c("p", "q")),
  b = list(type = "category", levels = c("u", "v", "w")))))

passes <- function(formula, family = "gaussian") {
  check <- dpvi_check(formula, family, schema)
  expect_true(check$ok, info = paste(formula_text <- deparse(formula), check$findings$message))
  check$program
}

test_that("habits of R work without looking at data", {
  expect_match(passes(y ~ log(x)), "(log(x) - 2.30259) / 1.15129", fixed = TRUE)
  expect_match(passes(y ~ I(x^2) + x), "x .* x - ", fixed = TRUE)
  expect_match(passes(y ~ scale(x)), "(x - 30) / 20", fixed = TRUE)
  expect_identical(passes(y ~ factor(a)), sub("y ~ a,", "y ~ factor(a),", passes(y ~ a), fixed = TRUE))
  expect_match(passes(k ~ x + offset(log(n)), poisson()), "eta = intercept\n +[+] log\\(n\\)")
  expect_match(passes(y ~ (1 | a / b)), "array[N] int<lower=1, upper=6> a_b;", fixed = TRUE)
  expect_match(passes(y ~ . - 1), "b_x")
  expect_match(passes(y ~ a * log(x)), "b_a_log_x")
  passes(k ~ x, binomial())
  passes(k ~ x, binomial("logit"))
  passes(k ~ x, "bernoulli")
  passes(y ~ x, gaussian)
  passes(k ~ x, list(family = "Negative Binomial(1.3)", link = "log"))
})

test_that("what needs all rows is refused with the way out", {
  for (formula in list(y ~ poly(x, 2), y ~ s(x), y ~ cut(x, 3))) {
    refused <- failure(dpvi_formula(formula, gaussian(), schema))
    expect_match(conditionMessage(refused), "depend on all rows.*I\\(x\\^2\\)")
  }
  expect_match(conditionMessage(failure(dpvi_formula(y ~ sin(x), gaussian(), schema))), "Available: log")
  expect_match(conditionMessage(failure(dpvi_formula(log(y) ~ x, gaussian(), schema))), "response is log")
  expect_match(conditionMessage(failure(dpvi_formula(cbind(k, n) ~ x, binomial(), schema))), "trials\\(n\\)")
  expect_match(conditionMessage(failure(dpvi_formula(y ~ (a + b)^2, gaussian(), schema))), "a \\* b")
  expect_match(conditionMessage(failure(dpvi_formula(y ~ x + (1 + x || a), gaussian(), schema))), "\\|\\|")
  expect_match(conditionMessage(failure(dpvi_formula(k ~ x, binomial("probit"), schema))), "logit")
  expect_match(conditionMessage(failure(dpvi_formula(y ~ x, Gamma(), schema))), "must be one of bernoulli")
  for (formula in list(y ~ log(z), y ~ scale(z), y ~ factor(x))) {
    expect_s3_class(failure(dpvi_formula(formula, gaussian(), schema)), "dpvi_DP341")
  }
})
