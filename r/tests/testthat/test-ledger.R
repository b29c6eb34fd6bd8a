test_that("a ledger counts fits of data frames and refuses what does not fit", {
  path <- tempfile(fileext = ".ledger")
  dpvi_ledger_create(path, epsilon = 1.2)
  stays <- make_stays(300)
  fit <- dpvi_fit(program, stays, epsilon = 1, schema = stays_schema, ledger = path, quiet = TRUE)
  expect_equal(nrow(dpvi_ledger(path)$entries), 1)
  expect_true(dpvi_verify(fit, path)$ok)
  expect_true(dpvi_ledger_verify(path, fit$path))
  refused <- failure(dpvi_fit(program, stays, epsilon = 1, schema = stays_schema, ledger = path))
  expect_s3_class(refused, "dpvi_budget")
  expect_gt(refused$budget[["largest_epsilon"]], 0)
  expect_lt(refused$budget[["left"]], 0.21)
  expect_equal(nrow(dpvi_ledger(path)$entries), 1)
})

test_that("a changed table is noticed", {
  path <- tempfile(fileext = ".ledger")
  dpvi_ledger_create(path, epsilon = 3)
  stays <- make_stays(300)
  run <- function(data, ...) dpvi_fit(program, data, epsilon = 0.5, schema = stays_schema,
                                      ledger = path, quiet = TRUE, ...)
  run(stays)
  run(stays)
  stays$age[1] <- stays$age[1] + 1
  expect_s3_class(failure(run(stays)), "dpvi_DP604")
  run(stays, data_version = "corrected")
  expect_equal(nrow(dpvi_ledger(path)$entries), 3)
})
