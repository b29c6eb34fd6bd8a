#' Fit a model privately
#'
#' The whole privacy cost is fixed before a row is read. The result and everything in its folder may
#' be published, at that cost.
#'
#' @param model A formula (`y ~ x + (1 | g)`), a Stan file, the text of a Stan program, or a
#'   [dpvi_model()].
#' @param data A data frame, or the name of a file of records (CSV, Stan JSON).
#' @param epsilon,delta Bound on the privacy loss, and the probability that it fails.
#' @param family Of a formula: a name or a family object, such as `"poisson"` or `binomial()`.
#' @param schema Public facts about the columns; see [dpvi_schema()]. A formula needs one that declares
#'   its columns.
#' @param ... Other settings by name; [dpvi_settings()] lists them. For example `steps = 500`,
#'   `rows = 20000` or `non_private = TRUE`.
#' @param public_data Public data variables of the program, as a named list of numbers, vectors and
#'   arrays.
#' @param records The name of the record count in the program, if it is not `N`.
#' @param public_names Variables of a Stan JSON file that are public.
#' @param one_row_per_person Declares that no person has two rows, as the schema can.
#' @param title Title of the study, for the privacy statement.
#' @param out Folder to write the result to; by default one that ends with the R session.
#' @param ledger File of the ledger that counts the fit; see [dpvi_ledger()].
#' @param data_version Name of a changed table, whose cost adds to that of the ledger's others.
#' @param progress Show the number of steps.
#' @param quiet Print no messages.
#' @return An object of class `dpvi_fit`. [summary()] has a row for every quantity,
#'   [posterior::as_draws()] the draws, [predict()] predictions, and `$path` the folder of the result.
#' @examples
#' set.seed(1)
#' stays <- data.frame(age = runif(2000, 18, 98))
#' stays$died <- rbinom(2000, 1, plogis((stays$age - 63) / 16 - 1.5))
#' schema <- dpvi_schema(list(
#'   table = list(rows = 2000, one_row_per_person = TRUE),
#'   columns = list(age = list(type = "real", lower = 18, upper = 98, mean = 63, sd = 16),
#'                  died = list(type = "int", lower = 0, upper = 1))))
#' fit <- dpvi_fit(died ~ age, stays, epsilon = 1, family = binomial(), schema = schema)
#' summary(fit)
#' @export
dpvi_fit <- function(model, data, epsilon = NULL, delta = NULL, family = NULL, schema = NULL, ...,
                     public_data = list(), records = NULL, public_names = NULL,
                     one_row_per_person = FALSE, title = NULL, out = NULL, ledger = NULL,
                     data_version = NULL, progress = interactive(), quiet = FALSE) {
  argument <- model_argument(model, family, schema, public_data, records, title,
                             one_row_per_person)
  settings <- setting_texts(list(epsilon = epsilon, delta = delta, ...))
  table <- data_argument(data, call_library(lib_declared_types(argument)), public_names)
  counted <- ledger_argument(ledger, data_version)
  if (length(counted) > 0 && is.null(table$file)) {
    table <- list(file = written_table(table$columns))
    on.exit(unlink(table$file), add = TRUE)
  }
  if (is.null(out)) out <- tempfile("dpvi_")
  call_library(lib_fit(argument, table, settings, path.expand(out), counted,
                       isTRUE(progress) && !quiet))
  fit <- dpvi_load(out)
  if (length(counted) == 0 && fit$private) {
    say(quiet, "No ledger counts this fit: nobody adds up what results from these records reveal ",
        "together (?dpvi_ledger).")
  }
  if (fit$status != "ok") say(quiet, paste(status_lines(fit), collapse = "\n"))
  fit
}

ledger_argument <- function(ledger, data_version) {
  if (inherits(ledger, "dpvi_ledger")) ledger <- ledger$path
  if (is.null(ledger)) {
    if (!is.null(data_version)) refuse("`data_version` needs a ledger.", "Give `ledger`.")
    return(list())
  }
  list(file = path.expand(ledger), version = data_version)
}

# A ledger recognises a table by the bytes of its file. A data frame is written to a file of its own
# that is removed after the fit; the same data frame always gives the same bytes.
written_table <- function(columns) {
  texts <- lapply(columns, function(column) {
    cells <- switch(column$kind,
      coded = quoted(column$texts)[column$values],
      double = sprintf("%.17g", column$values),
      integer = sprintf("%d", column$values),
      integer64 = as.character(structure(column$values, class = "integer64")))
    cells[is.na(column$values) | is.na(cells)] <- "NA"
    cells
  })
  names <- quoted(vapply(columns, function(column) column$name, character(1)))
  file <- tempfile("table_", fileext = ".csv")
  rows <- do.call(paste, c(texts, sep = ","))
  writeLines(c(paste(names, collapse = ","), rows), file, useBytes = TRUE)
  file
}

quoted <- function(texts) paste0("\"", gsub("\"", "\"\"", texts, fixed = TRUE), "\"")

#' Read a result, and write it elsewhere
#'
#' `dpvi_load()` verifies the folder first: an edited epsilon or a missing file is refused.
#'
#' @param path Folder of the result.
#' @param fit A fit.
#' @return `dpvi_load()` returns an object of class `dpvi_fit`; `dpvi_save()` returns `path`.
#' @export
dpvi_load <- function(path) {
  fit <- call_library(lib_read_bundle(path.expand(path)))
  fit$summary <- as_frame(fit$summary)
  colnames(fit$draws) <- fit$summary$variable
  structure(c(list(path = normalizePath(path)), fit), class = "dpvi_fit")
}

#' @rdname dpvi_load
#' @export
dpvi_save <- function(fit, path) {
  invisible(call_library(lib_copy_bundle(bundle_path(fit), path.expand(path))))
}

bundle_path <- function(fit) if (inherits(fit, "dpvi_fit")) fit$path else path.expand(fit)

#' Verify a result
#'
#' Compares every file with the manifest, the claims with each other, and epsilon with what the
#' recorded mechanisms cost.
#'
#' @param fit A fit, or the folder of a result.
#' @param ledger File of the ledger that should count it.
#' @return A list of class `dpvi_verification`; `ok` is `TRUE` if everything holds, else `differences`
#'   says what does not.
#' @export
dpvi_verify <- function(fit, ledger = NULL) {
  if (inherits(ledger, "dpvi_ledger")) ledger <- ledger$path
  ledger <- if (is.null(ledger)) "" else path.expand(ledger)
  structure(call_library(lib_verify(bundle_path(fit), ledger)), class = "dpvi_verification")
}

#' @export
print.dpvi_verification <- function(x, ...) {
  if (x$ok && x$private) {
    cat("verified: epsilon ", format(x$epsilon_claimed), " at delta ", format(x$delta),
        ", recomputed ", format(x$epsilon_recomputed), "; ", x$files, " files as written; ",
        x$ledger, "\n", sep = "")
  } else if (x$ok) {
    cat("verified: NOT PRIVATE, made without protection\n")
  } else {
    cat("not verified:", paste("-", x$differences), sep = "\n")
  }
  invisible(x)
}

#' Reports and statements
#'
#' @param fit A fit, or the folder of a result.
#' @param file The page to write. An existing file is not replaced.
#' @return `dpvi_report()` returns `file`, one page without outside files; `dpvi_statement()` the text
#'   of the privacy statement.
#' @export
dpvi_report <- function(fit, file) {
  invisible(call_library(lib_report(bundle_path(fit), path.expand(file))))
}

#' @rdname dpvi_report
#' @export
dpvi_statement <- function(fit) {
  path <- file.path(bundle_path(fit), "statement.md")
  structure(readLines(path, encoding = "UTF-8", warn = FALSE), class = "dpvi_statement")
}

#' @export
print.dpvi_statement <- function(x, ...) {
  writeLines(unclass(x))
  invisible(x)
}
