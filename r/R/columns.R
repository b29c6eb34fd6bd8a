# Columns of a data frame as the library takes them. What becomes of a column depends on its type and
# on the type that the schema declares, never on its cells.

frame_columns <- function(data, types = character()) {
  if (!is.data.frame(data)) {
    refuse("`data` is neither a data frame nor the name of a file.",
           "Convert it: as.data.frame(data).")
  }
  columns <- list()
  left_out <- character()
  for (name in names(data)) {
    declared <- unname(types[name])
    column <- column_argument(data[[name]], if (is.na(declared)) "" else declared)
    if (is.null(column)) {
      left_out <- c(left_out, name)
    } else {
      columns[[length(columns) + 1]] <- c(list(name = enc2utf8(name)), column)
    }
  }
  if (length(left_out) > 0) {
    warning("columns of a type that dpvi cannot read are left out: ",
            paste(left_out, collapse = ", "), call. = FALSE)
  }
  columns
}

# NULL for a type that cannot be read. `declared` is "real", "int", "category" or "".
column_argument <- function(x, declared) {
  if (is.list(x) || is.complex(x) || is.raw(x) || length(dim(x)) > 1) return(NULL)
  if (inherits(x, "haven_labelled")) return(labelled_argument(x, declared))
  if (is.factor(x)) {
    return(list(kind = "coded", values = as.integer(x), texts = enc2utf8(levels(x))))
  }
  if (is.character(x)) return(coded_argument(x))
  if (inherits(x, "integer64")) return(list(kind = "integer64", values = unclass(x)))
  if (inherits(x, c("Date", "POSIXt")) && declared == "category") {
    return(coded_argument(format(x)))
  }
  if (inherits(x, "POSIXlt")) x <- as.POSIXct(x)
  if (is.logical(x)) {
    if (declared == "category") return(coded_argument(as.character(x)))
    return(list(kind = "integer", values = as.integer(x)))
  }
  if (is.integer(x)) return(list(kind = "integer", values = as.integer(x)))
  if (is.numeric(x) || inherits(x, c("Date", "POSIXct", "difftime"))) {
    return(list(kind = "double", values = as.double(unclass(x))))
  }
  NULL
}

# Texts, each stored once.
coded_argument <- function(x) {
  x <- enc2utf8(as.character(x))
  texts <- unique(x[!is.na(x)])
  list(kind = "coded", values = match(x, texts, nomatch = NA_integer_, incomparables = NA),
       texts = texts)
}

# A column that haven read from SPSS, Stata or SAS. Where the schema declares a category, labels are
# its levels; elsewhere the numbers count. User-defined missing values are missing.
labelled_argument <- function(x, declared) {
  labels <- attr(x, "labels", exact = TRUE)
  values <- as.vector(unclass(x))
  attributes(values) <- NULL
  user_missing <- values %in% attr(x, "na_values", exact = TRUE)
  range <- attr(x, "na_range", exact = TRUE)
  if (!is.null(range)) {
    user_missing <- user_missing | (!is.na(values) & values >= range[1] & values <= range[2])
  }
  values[user_missing] <- NA
  if (declared != "category" && is.numeric(values)) {
    return(list(kind = "double", values = as.double(values)))
  }
  place <- match(values, labels, incomparables = NA)
  texts <- as.character(values)
  texts[!is.na(place)] <- names(labels)[place[!is.na(place)]]
  coded_argument(texts)
}

# What the type of a column alone says, for a template of a schema.
column_type <- function(x) {
  if (inherits(x, "haven_labelled")) {
    return(c(if (is.null(attr(x, "labels"))) "real" else "category", "labelled; levels are labels"))
  }
  if (is.factor(x) || is.character(x)) return(c("category", ""))
  if (is.logical(x)) return(c("logical", "TRUE is 1"))
  if (inherits(x, "Date")) return(c("real", "days since 1970-01-01"))
  if (inherits(x, "POSIXt")) return(c("real", "seconds since 1970-01-01 UTC"))
  if (inherits(x, "difftime")) return(c("real", units(x)))
  if (is.integer(x) || inherits(x, "integer64")) return(c("int", ""))
  if (is.numeric(x)) return(c("real", ""))
  c("real", "this type cannot be read")
}
