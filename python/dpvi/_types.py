"""Names for the types of arguments."""
import os
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    from .ledger import Ledger
    from .schema import Schema

Path = Union[str, "os.PathLike[str]"]
# A data frame with Arrow's C stream interface, a dict or structured array of NumPy, or a file.
Table = Any
SchemaSource = Union["Schema", dict[str, Any], Path]
LedgerSource = Union["Ledger", Path]
