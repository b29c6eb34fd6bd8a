#' Public facts about the columns of a table
#'
#' A schema declares what everybody may know about a table: types, bounds, levels, means, its
#' approximate size and what one record is. Nothing in it is computed from the data.
#'
#' @param x A data frame, for a template that holds its names and types only and is to be completed by
#'   hand; a named list with the tables of a schema; the name of a TOML file; TOML text; or a schema.
#' @param model A Stan program as [dpvi_model()] takes it. The template then has the columns and facts
#'   that this program needs.
#' @param file A file to write the schema to. An existing file is not replaced.
#' @return TOML text of class `dpvi_schema`.
#' @examples
#' people <- data.frame(age = c(50, 61), ward = factor(c("a", "b")))
#' dpvi_schema(people)
#' dpvi_schema(list(columns = list(
#'   age = list(type = "real", lower = 0, upper = 110),
#'   ward = list(type = "category", levels = c("a", "b")))))
#' @export
dpvi_schema <- function(x, model = NULL, file = NULL) {
  schema <- if (inherits(x, "dpvi_schema")) {
    x
  } else if (is.data.frame(x)) {
    new_schema(schema_of_frame(x, model))
  } else if (is.list(x)) {
    new_schema(toml_of(x))
  } else if (is.character(x) && length(x) == 1 && !grepl("[=\n]", x)) {
    if (!file.exists(x)) refuse(paste0("there is no schema '", x, "'."), "Check the path.")
    new_schema(paste(readLines(x, encoding = "UTF-8", warn = FALSE), collapse = "\n"),
               path.expand(x))
  } else if (is.character(x)) {
    new_schema(paste(x, collapse = "\n"))
  } else {
    refuse("a schema is a data frame, a list, a file or TOML text.", "See ?dpvi_schema.")
  }
  if (!is.null(file)) {
    if (file.exists(file)) refuse(paste0("'", file, "' exists already."), "Choose another name.")
    writeLines(enc2utf8(unclass(schema)), file, useBytes = TRUE)
  }
  schema
}

new_schema <- function(text, file = "schema") structure(text, class = "dpvi_schema", file = file)

schema_of_frame <- function(data, model) {
  if (!is.null(model)) {
    argument <- model_argument(model)
    return(call_library(lib_schema_draft(argument, enc2utf8(names(data)))))
  }
  types <- vapply(data, column_type, character(2))
  call_library(lib_schema_template(enc2utf8(names(data)), types[1, ], types[2, ]))
}

#' @export
print.dpvi_schema <- function(x, ...) {
  cat(unclass(x), "\n", sep = "")
  invisible(x)
}

# A list as TOML: named lists are tables, everything else is a value.
toml_of <- function(x, path = character()) {
  if (length(x) > 0 && (is.null(names(x)) || any(!nzchar(names(x))))) {
    refuse("every entry of a schema needs a name.",
           "For example: list(columns = list(age = list(lower = 0))).")
  }
  tables <- vapply(x, is.list, logical(1))
  keys <- vapply(names(x), toml_key, character(1))
  values <- Map(toml_value, x[!tables], names(x)[!tables] %in% c("levels", "missing", "shares"))
  lines <- if (any(!tables)) paste(keys[!tables], "=", unlist(values))
  if (length(path) > 0 && (length(lines) > 0 || length(x) == 0)) lines <- c("", paste0("[", paste(path, collapse = "."), "]"), lines)
  inner <- Map(function(value, key) toml_of(value, c(path, key)), x[tables], keys[tables])
  paste(c(lines, unlist(inner)), collapse = "\n")
}

toml_key <- function(name) if (grepl("^[A-Za-z0-9_-]+$", name)) name else toml_text(name)

toml_text <- function(text) {
  text <- gsub("([\"\\\\])", "\\\\\\1", enc2utf8(text))
  text <- gsub("\n", "\\n", text, fixed = TRUE)
  paste0("\"", gsub("\t", "\\t", text, fixed = TRUE), "\"")
}

# `array`: also with one element.
toml_value <- function(value, array = FALSE) {
  parts <- if (is.logical(value)) {
    tolower(as.character(value))
  } else if (is.numeric(value)) {
    vapply(value, toml_number, character(1))
  } else {
    vapply(as.character(value), toml_text, character(1))
  }
  if (length(parts) == 1 && !array && !inherits(value, "AsIs")) return(parts)
  paste0("[", paste(parts, collapse = ", "), "]")
}

toml_number <- function(x) {
  whole <- is.finite(x) && x == round(x) && abs(x) < 2^53
  if (whole) sprintf("%.0f", x) else sub("^(-?)Inf", "\\1inf", sprintf("%.17g", x))
}
