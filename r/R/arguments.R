# R objects as arguments of the library (src/arguments.h).

# Settings as texts: TRUE is "true", FALSE and NULL are left out, numbers keep all their digits.
setting_texts <- function(settings) {
  if (length(settings) == 0) return(list())
  if (is.null(names(settings)) || any(!nzchar(names(settings)))) {
    refuse("every setting needs a name.", "For example: steps = 500.")
  }
  off <- vapply(settings, function(one) is.null(one) || identical(one, FALSE), logical(1))
  settings <- settings[!off]
  texts <- lapply(settings, function(one) {
    if (is.logical(one)) return(tolower(as.character(one)))
    if (is.numeric(one)) one <- format(one, digits = 17, trim = TRUE, scientific = FALSE)
    as.character(one)
  })
  names(texts) <- gsub("_", "-", names(texts), fixed = TRUE)
  joined <- names(texts) != "phase"
  texts[joined] <- lapply(texts[joined], paste, collapse = ",")
  texts
}

# The name and link of a family: "poisson", poisson() or binomial("logit").
family_name <- function(family) {
  if (is.character(family)) {
    link <- if (family[1] == "binomial") "logit" else ""
    return(list(family = family[1], link = link))
  }
  if (is.function(family)) family <- family()
  if (is.null(family$family)) {
    refuse("`family` is not a family.", "Give its name, such as \"poisson\", or poisson().")
  }
  # MASS writes the parameter into the name: "Negative Binomial(1.2)".
  name <- sub("^Negative Binomial.*", "negbinomial", family$family)
  list(family = name, link = if (is.null(family$link)) "" else as.character(family$link)[1])
}

formula_text <- function(formula) paste(deparse(formula, width.cutoff = 500L), collapse = " ")

# A model with its schema, as the library takes it.
model_argument <- function(model, family = NULL, schema = NULL, public_data = list(),
                           records = NULL, title = NULL, one_row_per_person = FALSE) {
  if (inherits(model, "formula") || (is.character(model) && is_formula_text(model))) {
    text <- if (is.character(model)) model else formula_text(model)
    argument <- c(list(file = "formula.stan", formula = text),
                  family_name(if (is.null(family)) "gaussian" else family))
  } else if (inherits(model, "dpvi_model")) {
    argument <- unclass(model)[c("file", "text")]
    public_data <- utils::modifyList(model$public_data, as.list(public_data))
    if (is.null(schema)) schema <- model$schema
    if (is.null(records)) records <- model$records
  } else {
    return(model_argument(dpvi_model(model, schema = schema, public_data = public_data,
                                     records = records),
                          title = title, one_row_per_person = one_row_per_person))
  }
  if (is.null(argument$formula) && !is.null(family)) {
    refuse("`family` belongs to a formula; a Stan program has its own likelihood.",
           "Leave `family` out.")
  }
  c(argument, schema_argument(schema),
    list(public_data = public_argument(public_data), records = records, title = title,
         one_row_per_person = if (isTRUE(one_row_per_person)) "true"))
}

# Numbers with their sizes. A number alone is a scalar; an array keeps its dimensions, and its last
# index varies fastest in the library.
public_argument <- function(public_data) {
  public_data <- as.list(public_data)
  numbers <- lapply(public_data, function(value) {
    sizes <- dim(value)
    if (length(sizes) > 1) value <- aperm(value)
    if (is.null(sizes) && length(value) != 1) sizes <- length(value)
    list(numbers = as.double(value), sizes = as.integer(sizes))
  })
  if (is.null(names(numbers))) names(numbers) <- character(length(numbers))
  numbers
}

is_formula_text <- function(text) {
  length(text) == 1 && grepl("~", text, fixed = TRUE) && !grepl("[{;\n]", text)
}

schema_argument <- function(schema) {
  if (is.null(schema)) return(list())
  schema <- dpvi_schema(schema)
  list(schema_file = attr(schema, "file"), schema_text = paste(unclass(schema), collapse = "\n"))
}

# A data frame, or the name of a file of records.
data_argument <- function(data, types = character(), public_names = NULL) {
  if (is.character(data) && length(data) == 1) {
    return(list(file = path.expand(data), public_names = public_names))
  }
  list(columns = frame_columns(data, types))
}
