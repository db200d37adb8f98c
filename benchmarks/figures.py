"""SVG figures of the benchmark pages, drawn from numbers alone: the same numbers give the same file."""
import math
from html import escape

COLORS = ["#0b6e99", "#d1495b", "#3b8b3b", "#8f5db7", "#c77d0a", "#4a4a4a", "#1fa3a3"]
# Studentised range / sqrt(2) at 5 % for 2, 3, ... systems (Demsar, JMLR 7, 2006)
NEMENYI = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164, 3.219, 3.268, 3.313, 3.354, 3.391]


def number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


def text(x, y, words, anchor="start", size=12, color="#222", weight="normal"):
    return (f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}" font-size="{size}" fill="{color}" '
            f'font-weight="{weight}">{escape(str(words))}</text>')


def line(x1, y1, x2, y2, color="#222", width=1.0, dashes=""):
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (f'<line x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}" stroke="{color}" '
            f'stroke-width="{width}"{dashed}/>')


def document(width, height, title, parts):
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="sans-serif" role="img"><title>{escape(title)}</title><rect width="{width}" height="{height}" fill="#fff"/>')
    return "\n".join([head, *parts, "</svg>"]) + "\n"


def critical_difference(systems, sets):
    """Mean ranks that differ by more are different at the 5 % level (Nemenyi test)."""
    return NEMENYI[systems - 2] * math.sqrt(systems * (systems + 1) / (6 * sets))


def groups(ranks, difference):
    """The longest runs of sorted ranks that span at most the critical difference, as (first, last)."""
    found = []
    for i, low in enumerate(ranks):
        last = max(j for j, high in enumerate(ranks) if high - low <= difference)
        if last > i and (not found or last > found[-1][1]):
            found.append((i, last))
    return found


def rank_diagram(title, ranks, sets):
    """A critical-difference diagram of {system: mean rank over so many sets}; bars join what the test cannot tell apart."""
    systems = sorted(ranks, key=ranks.get)
    count, width, left = len(systems), 720, 190
    span = width - 2 * left
    x = lambda rank: left + span * (rank - 1) / (count - 1)
    difference = critical_difference(count, sets)
    bars = groups([ranks[s] for s in systems], difference)
    axis, half = 62, (count + 1) // 2
    first = axis + 18 + 9 * len(bars)
    parts = [text(left, 20, f"{title}: mean rank over {sets} sets (1 is best)", size=13, weight="bold")]
    parts += [line(x(1), 36, x(min(count, 1 + difference)), 36, width=3),
              text(x(min(count, 1 + difference)) + 6, 40, f"critical difference {difference:.2f}", size=11), line(x(1), axis, x(count), axis)]
    for rank in range(1, count + 1):
        parts += [line(x(rank), axis - 5, x(rank), axis), text(x(rank), axis - 8, rank, "middle", 10, "#666")]
    for i, (start, end) in enumerate(bars):
        y = axis + 12 + 9 * i
        parts.append(line(x(ranks[systems[start]]) - 4, y, x(ranks[systems[end]]) + 4, y, "#888", 4))
    for place, system in enumerate(systems):
        on_left = place < half
        y = first + 20 * (place if on_left else count - 1 - place) + 14
        at, end = x(ranks[system]), left - 12 if on_left else width - left + 12
        color, weight = (COLORS[1], "bold") if system.startswith("gopnet") else ("#222", "normal")
        parts += [line(at, axis, at, y, color), line(at, y, end, y, color),
                  text(end + (-5 if on_left else 5), y + 4, f"{system}  {ranks[system]:.2f}", "end" if on_left else "start", 12, color, weight)]
    return document(width, first + 20 * half + 16, title, parts)


def bars(title, values, unit, reference=None):
    """Horizontal bars of {label: value}, with a dashed line at the reference."""
    top, left, step, width = 34, 220, 19, 720
    scale = (width - left - 90) / max(values.values())
    parts = [text(8, 20, title, size=13, weight="bold")]
    for i, (label, value) in enumerate(values.items()):
        y = top + step * i
        parts += [text(left - 8, y + 13, label, "end", 11),
                  f'<rect x="{left}" y="{y + 3}" width="{number(value * scale)}" height="13" fill="{COLORS[0]}"/>',
                  text(left + value * scale + 5, y + 13, unit.format(value), size=11)]
    bottom = top + step * len(values)
    if reference:
        parts.append(line(left + reference * scale, top, left + reference * scale, bottom, COLORS[1], 1, "4 3"))
    return document(width, bottom + 10, title, parts)


def ticks(low, high, log):
    if log:
        exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        return [10.0**e for e in exponents if low * 0.999 <= 10.0**e <= high * 1.001]
    return [low + (high - low) * i / 5 for i in range(6)]


def panel(left, top, width, height, title, labels, curves, log_y=True, low=None, high=None):
    """Curves [(points, color, dashes)] over a logarithmic x axis; labels of the axes are (x, y)."""
    xs, ys = ([p[i] for points, _, _ in curves for p in points] for i in (0, 1))
    x_low, x_high, y_low, y_high = min(xs), max(xs), low or min(ys), high or max(ys)
    place = lambda value, a, b, log: math.log(value / a) / math.log(b / a) if log else (value - a) / (b - a)
    x = lambda value: left + width * place(value, x_low, x_high, True)
    y = lambda value: top + height * (1 - place(value, y_low, y_high, log_y))
    parts = [text(left, top - 10, title, size=12, weight="bold"), line(left, top + height, left + width, top + height),
             line(left, top, left, top + height), text(left + width / 2, top + height + 32, labels[0], "middle", 11),
             f'<g transform="translate({number(left - 42)} {number(top + height / 2)}) rotate(-90)">{text(0, 0, labels[1], "middle", 11)}</g>']
    for value in ticks(x_low, x_high, True):
        parts += [line(x(value), top, x(value), top + height, "#e4e4e4"), text(x(value), top + height + 16, f"{value:,.10g}", "middle", 10, "#666")]
    for value in ticks(y_low, y_high, log_y):
        parts += [line(left, y(value), left + width, y(value), "#e4e4e4"), text(left - 5, y(value) + 3, f"{value:.2g}" if value < 1 else f"{value:,.3g}", "end", 10, "#666")]
    for points, color, dashes in curves:
        path = " ".join(f"{number(x(a))},{number(y(b))}" for a, b in points)
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.8"{dashed}/>')
    return parts


def legend(left, top, entries, column=230, columns=3):
    """Entries are (label, color, dashes)."""
    parts = []
    for i, (label, color, dashes) in enumerate(entries):
        x, y = left + column * (i % columns), top + 18 * (i // columns)
        parts += [line(x, y, x + 26, y, color, 2, dashes), text(x + 32, y + 4, label, size=11)]
    return parts
