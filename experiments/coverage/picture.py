"""Pictures of results: coverage by epsilon, and the interval score ratio beside it."""
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from scoring import LEVEL

MARKERS = "osD^v<>P"


def draw_family(table, path):
    """One line of panels per problem; colours are numbers of rows, markers are blocks."""
    found = list(table["problem"].unique())
    figure, axes = plt.subplots(len(found), 2, figsize=(10, 2.6 * len(found)), squeeze=False,
                                layout="constrained")
    for (left, right), problem in zip(axes, found):
        part = table[table["problem"] == problem]
        _draw_panel(left, part, "coverage", "coverage_se")
        left.axhline(LEVEL, color="grey", linewidth=.8)
        left.set(title=problem, ylim=(-.03, 1.03), ylabel="coverage")
        _draw_panel(right, part, "score_ratio", "score_ratio_se")
        right.axhline(1, color="grey", linewidth=.8)
        right.set(yscale="log", ylabel="interval score / reference")
        right.legend(fontsize=6, loc="center left", bbox_to_anchor=(1, .5))
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _draw_panel(axis, part, column, error):
    sizes, blocks = list(part["rows"].unique()), list(part["block"].unique())
    for (size, block), line in part.groupby(["rows", "block"], sort=False):
        line = line.sort_values("epsilon")
        axis.errorbar(line["epsilon"], line[column], yerr=line[error], linewidth=1, markersize=4,
                      color=f"C{sizes.index(size)}", marker=MARKERS[blocks.index(block)],
                      label=f"N = {size}, {block}")
    axis.set(xscale="log", xlabel="epsilon")


def draw_pictures(table, folder):
    """Writes coverage_FAMILY.png for each family with results."""
    for family, part in table.groupby("family", sort=False):
        draw_family(part, folder / f"coverage_{family}.png")
