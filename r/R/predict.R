#' Predict new rows
#'
#' Predictions need the result alone, not the records that it was fitted to. They carry the whole
#' uncertainty of the posterior.
#'
#' @param object A fit.
#' @param newdata A data frame with the columns that the prediction reads, or a CSV file.
#' @param quantity Names of the program's quantities for rows; by default all generated ones. A
#'   formula has `expected`, the mean of its response, and a draw of it, such as `y_rep` for `y`.
#' @param outcome A column to predict from the program's own density: the probability of its values. The
#'   default for a formula whose response is a category, or 0 and 1.
#' @param draws,seed Number of posterior draws, and the random seed.
#' @param threads Number of threads; by default all cores.
#' @param ... Ignored.
#' @return A data frame with a mean and 5 % and 95 % quantiles of every quantity; `NaN` for a row with
#'   a cell that cannot be used.
#' @importFrom stats predict
#' @export
predict.dpvi_fit <- function(object, newdata, quantity = NULL, outcome = NULL, draws = 1000,
                             seed = 1, threads = NULL, ...) {
  options <- setting_texts(list(draws = draws, seed = seed, threads = threads))
  options <- c(options, list(quantity = quantity, outcome = outcome))
  columns <- call_library(lib_predict(object$path, rows_argument(object, newdata), options))
  as.data.frame(columns, optional = TRUE)
}

# Rows to predict or to draw for: types are those of the schema of the result.
rows_argument <- function(fit, data) {
  file <- file.path(fit$path, "schema.toml")
  types <- character()
  if (is.data.frame(data) && file.exists(file)) {
    types <- call_library(lib_declared_types(list(
      file = "", schema_file = file, schema_text = paste(readLines(file, warn = FALSE),
                                                         collapse = "\n"),
      public_data = public_argument(list()))))
  }
  data_argument(data, types)
}

#' Draw synthetic tables
#'
#' A program must draw its outcome in generated quantities, such as `y_rep` for `y`; formulas do.
#'
#' @param fit A fit.
#' @param rows Rows of every table; by default those of `covariates`.
#' @param datasets Number of tables, each at its own draw from the posterior.
#' @param covariates A data frame or CSV file with public values of the columns that are not drawn; by
#'   default mock values from the schema.
#' @param seed,threads The random seed, and the number of threads.
#' @return A list of data frames.
#' @export
dpvi_synth <- function(fit, rows = NULL, datasets = 1, covariates = NULL, seed = 1,
                       threads = NULL) {
  if (is.null(rows) && is.null(covariates)) {
    refuse("`rows` is missing.", "Give the number of rows per table, or `covariates`.")
  }
  options <- setting_texts(list(rows = rows, datasets = datasets, seed = seed, threads = threads))
  data <- if (is.null(covariates)) list() else rows_argument(fit, covariates)
  texts <- call_library(lib_synth(bundle_path(fit), data, options))
  lapply(texts, function(text) utils::read.csv(text = text, check.names = FALSE))
}
