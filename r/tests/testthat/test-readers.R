draws_file <- function() file.path(private_fit()$path, "draws.csv")

test_that("posterior takes a fit", {
  skip_if_not_installed("posterior")
  draws <- posterior::as_draws(private_fit())
  expect_s3_class(draws, "draws_array")
  expect_equal(posterior::nvariables(draws), nrow(private_fit()$summary))
  expect_equal(as.double(posterior::summarise_draws(draws)$mean), private_fit()$summary$mean)
  expect_s3_class(posterior::as_draws_df(private_fit()), "draws_df")
  expect_s3_class(posterior::as_draws_rvars(private_fit()), "draws_rvars")
})

test_that("rstan reads draws.csv as it is", {
  skip_if_not_installed("rstan")
  read <- suppressMessages(rstan::read_stan_csv(draws_file()))
  extracted <- rstan::extract(read, "beta", permuted = FALSE)
  expect_equal(mean(extracted), mean(private_fit()$draws[, "beta"]), tolerance = 0.02)
})

test_that("posterior reads draws.csv as it is", {
  skip_if_not_installed("posterior")
  table <- utils::read.csv(draws_file(), comment.char = "#")
  draws <- posterior::as_draws_df(table)
  expect_true("beta" %in% posterior::variables(draws))
})

test_that("a fit can be plotted", {
  if (requireNamespace("bayesplot", quietly = TRUE)) {
    expect_s3_class(plot(private_fit(), variables = c("alpha", "beta")), "ggplot")
    expect_match(conditionMessage(failure(plot(private_fit(), "pie"))), "mcmc_pie")
  } else {
    expect_null(plot(private_fit()))
  }
  refused <- failure(plot(private_fit(), variables = c("alpha", "gamma")))
  expect_match(conditionMessage(refused), "'gamma'.*alpha, beta")
})
