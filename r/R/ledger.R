#' Ledgers: the account of what a data set has spent
#'
#' A ledger holds a budget that never changes and the runs that were charged to it. A fit that does
#' not fit into the budget is refused before a record is read (an error of class `dpvi_budget`).
#'
#' @param path File of the ledger.
#' @param epsilon,delta The budget.
#' @param adjacency `"substitute"` or `"add-remove"`.
#' @param unit The column of the ids, or `"row"`.
#' @param filter `"mixed"` or `"full-participation"`.
#' @param data File of the table that the ledger is for; by default that of the first fit.
#' @param bundles Bundles that prove that the ledger is not an older copy.
#' @param id,who,why The entry to forgive, the person who declares that no result has left, and the
#'   reason.
#' @return A list of class `dpvi_ledger`; `dpvi_ledger_verify()` returns `TRUE`, or the differences
#'   from a ledger that only dpvi has written.
#' @examples
#' path <- tempfile(fileext = ".ledger")
#' dpvi_ledger_create(path, epsilon = 2)
#' dpvi_ledger_verify(path)
#' @export
dpvi_ledger <- function(path) new_ledger(path, lib_ledger_read(path.expand(path)))

#' @rdname dpvi_ledger
#' @export
dpvi_ledger_create <- function(path, epsilon, delta = 1e-6, adjacency = "substitute", unit = "row",
                               filter = "mixed", data = NULL) {
  terms <- setting_texts(list(epsilon = epsilon, delta = delta))
  terms <- c(terms, list(adjacency = adjacency, unit = unit, data = data,
                         filter = match.arg(filter, c("mixed", "full-participation"))))
  new_ledger(path, lib_ledger_create(path.expand(path), terms))
}

#' @rdname dpvi_ledger
#' @export
dpvi_ledger_verify <- function(path, bundles = character()) {
  bundles <- vapply(bundles, bundle_path, character(1))
  differences <- call_library(lib_ledger_verify(path.expand(path), as.character(bundles)))
  if (length(differences) == 0) TRUE else differences
}

#' @rdname dpvi_ledger
#' @export
dpvi_ledger_forgive <- function(path, id, who, why) {
  new_ledger(path, lib_ledger_forgive(path.expand(path), as.double(id), who, why))
}

new_ledger <- function(path, state) {
  state <- call_library(state)
  state$entries <- as_frame(state$entries)
  structure(c(list(path = path), state), class = "dpvi_ledger")
}

#' @export
print.dpvi_ledger <- function(x, digits = 4, ...) {
  cat(x$path, ": budget epsilon ", format(x$epsilon), ", delta ", format(x$delta), ", adjacency ",
      x$adjacency, ", unit ", x$unit, "\n", sep = "")
  cat("spent ", format(x$spent_epsilon, digits = digits), ", left ",
      format(x$left_epsilon, digits = digits), "\n", sep = "")
  if (nrow(x$entries) > 0) print(x$entries, digits = digits, row.names = FALSE)
  invisible(x)
}
