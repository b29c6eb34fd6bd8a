test_that("a fit finds the truth within its own uncertainty", {
  fit <- private_fit()
  row <- fit$summary[fit$summary$variable == "beta", ]
  expect_true(fit$private)
  expect_lt(abs(row$mean - 1), 5 * row$sd)
  expect_lt(fit$epsilon, 3)
  expect_equal(nrow(as.matrix(fit)), 1000)
})

test_that("a formula is a model", {
  fit <- dpvi_fit(died ~ age + (1 | ward), make_stays(), epsilon = 3, family = binomial(),
                  schema = stays_schema, quiet = TRUE)
  expect_true(all(c("intercept", "b_age", "sd_ward") %in% fit$summary$variable))
  expect_true(dpvi_verify(fit)$ok)
})

test_that("unknown settings and seeds of private fits are refused", {
  refused <- failure(dpvi_fit(program, make_stays(), epsilon = 1, stepz = 3))
  expect_s3_class(refused, "dpvi_DP101")
  expect_match(conditionMessage(refused), "Did you mean 'steps'")
  refused <- failure(dpvi_fit(program, make_stays(), epsilon = 1, seed = 3))
  expect_match(conditionMessage(refused), "seed needs non_private")
})

test_that("results are saved, read back and recognised when edited", {
  path <- file.path(new_folder(), "result")
  dpvi_save(private_fit(), path)
  expect_identical(dpvi_load(path)$draws, private_fit()$draws)
  expect_s3_class(failure(dpvi_save(private_fit(), path)), "dpvi_DP402")
  nowhere <- file.path(path, "no", "folder")
  expect_s3_class(failure(dpvi_save(private_fit(), nowhere)), "dpvi_cannot_create")
  statement <- file.path(path, "statement.json")
  text <- readLines(statement)
  writeLines(sub("\"epsilon\": [0-9.]+", "\"epsilon\": 0.1", text), statement)
  expect_false(dpvi_verify(path)$ok)
  expect_s3_class(failure(dpvi_load(path)), "dpvi_DP412")
})

test_that("reports and statements come from the result", {
  page <- dpvi_report(private_fit(), tempfile(fileext = ".html"))
  expect_match(paste(readLines(page, warn = FALSE), collapse = ""), "<html")
  expect_match(paste(unclass(dpvi_statement(private_fit())), collapse = "\n"), "epsilon|ε")
})

test_that("new rows are predicted from the result alone", {
  new <- data.frame(age = c(20, 58, 90, NA))
  predicted <- predict(private_fit(), new, quantity = "p")
  expect_equal(nrow(predicted), 4)
  expect_true(all(diff(predicted$p_mean[1:3]) > 0))
  expect_true(is.nan(predicted$p_mean[4]))
  expect_true(all(predicted$p_q5[1:3] < predicted$p_mean[1:3]))
})

test_that("the outcome of a formula is predicted by default", {
  fit <- dpvi_fit(died ~ age, make_stays(), epsilon = 3, family = "bernoulli",
                  schema = stays_schema, quiet = TRUE)
  predicted <- predict(fit, data.frame(age = c(20, 90)))
  expect_lt(predicted[[1]][1], predicted[[1]][2])
})

test_that("a formula with a real outcome is predicted and drawn without it", {
  set.seed(1)
  rows <- data.frame(x = rnorm(2000))
  rows$y <- 5 + 2 * rows$x + rnorm(2000)
  schema <- dpvi_schema(list(table = list(rows = 2000, one_row_per_person = TRUE),
                             columns = list(x = list(type = "real", mean = 0, sd = 1),
                                            y = list(type = "real", mean = 5, sd = 2))))
  fit <- dpvi_fit(y ~ x, rows, epsilon = 3, schema = schema, quiet = TRUE)
  predicted <- predict(fit, data.frame(x = c(-1, 1)))
  expect_named(predicted[c(1, 4)], c("expected_mean", "y_rep_mean"))
  expect_equal(predicted$expected_mean, c(3, 7), tolerance = 0.2)
  expect_setequal(names(dpvi_synth(fit, rows = 5)[[1]]), c("x", "y"))
})

test_that("synthetic tables have the columns of the program", {
  tables <- dpvi_synth(private_fit(), rows = 20, datasets = 2)
  expect_length(tables, 2)
  expect_setequal(names(tables[[1]]), c("died", "age"))
  expect_true(all(tables[[1]]$died %in% 0:1))
})

test_that("a plan needs no data", {
  plan <- dpvi_plan(died ~ age, epsilon = 1, family = "bernoulli", schema = stays_schema)
  expect_lt(plan$epsilon, 1 + 1e-9)
  expect_setequal(plan$forecast$parameter, c("intercept", "b_age"))
  check <- dpvi_check(program)
  expect_true(check$ok)
  expect_setequal(check$record_data, c("died", "age"))
})

test_that("public values keep their shape", {
  shaped <- function(...) {
    dpvi_model("data { int<lower=0> N; vector[N] y; matrix[2, 3] knots; vector[1] one; }
                parameters { real mu; }
                model { mu ~ normal(knots[1, 2] + knots[2, 1], one[1]); y ~ normal(mu, 1); }",
               public_data = list(...))
  }
  one <- array(1e-6, 1)
  mean_of <- function(knots) {
    fit <- dpvi_fit(shaped(knots = knots, one = one), data.frame(y = numeric(50)), non_private = TRUE,
                    seed = 1, steps = 50, draws = 20, posterior = "variational",
                    one_row_per_person = TRUE, quiet = TRUE)
    mean(fit$draws)
  }
  expect_equal(mean_of(rbind(c(0, 1, 9), c(2, 9, 9))), 3, tolerance = 1e-3)
  expect_equal(mean_of(rbind(c(0, 1, 9), c(3, 9, 9))), 4, tolerance = 1e-3)
  expect_s3_class(failure(dpvi_plan(shaped(knots = 1:6, one = one), epsilon = 1)), "dpvi_DP331")
  expect_s3_class(failure(dpvi_plan(shaped(knots = numeric(), one = one), epsilon = 1)), "dpvi_DP331")
})
