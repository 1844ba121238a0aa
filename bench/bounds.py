"""What a figure of a table must keep to, and how the table says whether it does."""


class Bound:
    def __init__(self, words, holds):
        self.words, self.holds = words, holds

    def shown(self, value):
        return f"{self.words} {'✔' if self.holds(value) else '✖'}"


def under(most, unit=""):
    return Bound(f"under {most:g}{unit}", lambda value: value < most)


def at_most(most, unit=""):
    return Bound(f"at most {most:g}{unit}", lambda value: value <= most)


def at_least(least, unit=""):
    return Bound(f"at least {least:g}{unit}", lambda value: value >= least)


def shown(bounds, name, value):
    """The cell beside a figure; empty where nothing is asked of it."""
    return bounds[name].shown(value) if name in bounds else ""


def missed(bounds, figures):
    """The names of those that do not keep to their bound. A bound whose figure is missing is one of them."""
    return [name for name, bound in bounds.items() if name not in figures or not bound.holds(figures[name])]
