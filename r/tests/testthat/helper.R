# A table whose logistic regression is known, with its public facts.
stays_schema <- dpvi_schema(list(
  table = list(rows = 3000, one_row_per_person = TRUE),
  columns = list(
    age = list(type = "real", lower = 18, upper = 98, mean = 58, sd = 23),
    ward = list(type = "category", levels = c("north", "south", "west")),
    died = list(type = "int", lower = 0, upper = 1))))

make_stays <- function(rows = 3000, seed = 1) {
  set.seed(seed)
  stays <- data.frame(age = runif(rows, 18, 98),
                      ward = factor(sample(c("north", "south", "west"), rows, TRUE)))
  stays$died <- rbinom(rows, 1, stats::plogis((stays$age - 58) / 23 - 1))
  stays
}

# Fits without noise repeat with their seed, so they show whether two tables hold the same records.
same_fit <- function(data, model = died ~ age + ward, schema = stays_schema, ...) {
  fit <- dpvi_fit(model, data, schema = schema, non_private = TRUE, steps = 30, draws = 50,
                  seed = 3, threads = 1, quiet = TRUE, ...)
  fit$draws
}

program <- "
data {
  int<lower=0> N;
  array[N] int<lower=0, upper=1> died;
  vector[N] age;
}
parameters {
  real alpha;
  real beta;
}
model {
  alpha ~ normal(0, 2);
  beta ~ normal(0, 2);
  died ~ bernoulli_logit(alpha + beta * (age - 58) / 23);
}
generated quantities {
  vector[N] p = inv_logit(alpha + beta * (age - 58) / 23);
  array[N] int died_rep;
  for (n in 1:N) died_rep[n] = bernoulli_logit_rng(alpha + beta * (age[n] - 58) / 23);
}"

private_fit <- local({
  made <- NULL
  function() {
    if (is.null(made)) {
      made <<- dpvi_fit(program, make_stays(), epsilon = 3, schema = stays_schema, quiet = TRUE)
    }
    made
  }
})

failure <- function(code) tryCatch(code, dpvi_error = function(e) e)

new_folder <- function() {
  path <- tempfile("folder_")
  dir.create(path)
  path
}
