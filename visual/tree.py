"""The draft tree of one step: laid out with networkx, drawn with Plotly, left to right.

A column per depth. The first child continues on its parent's row and every leaf has a row of its own, so subtrees never share
rows and labels cannot meet. x counts columns and y counts rows; the browser turns both into pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import networkx as nx

from ersd.settings import Settings
from ersd.trace import Step

from .sentences import ROOT, own_token, row_of, vertex_sentences
from .theme import SIGNS, Figure
from .treestyle import EDGE_STEPS, Style
from .words import ending, escape, number, ordinal, shorten, visible, width, wrapped

STATES = ("accepted", "rejected", "open", "target", "root")


@dataclass(frozen=True)
class Tree:
    """Where everything is and what became of it. The vertex `len(step.tokens)`, if there, is the target's own token."""

    graph: nx.DiGraph
    states: dict[int, str]
    """vertex -> one of STATES; `open` was not tried or not visited"""
    columns: int
    rows: int


def states(step: Step) -> dict[int, str]:
    """What became of every drafted vertex: accepted, rejected or open (not tried, or never reached)."""
    found = dict.fromkeys(range(len(step.tokens)), "open")
    for visit in step.walk:
        for one in visit.tries:
            if one.accepted or found[one.vertex] != "accepted":
                found[one.vertex] = "accepted" if one.accepted else "rejected"
    return found


def tree_of(step: Step) -> Tree:
    """The step's tree with the target's own token hung on where the walk ended, `column` and `row` set on every vertex."""
    graph = nx.DiGraph()
    graph.add_node(ROOT)
    for vertex in sorted(range(len(step.tokens)), key=lambda v: (step.depths[v], step.ranks[v], v)):
        graph.add_edge(step.parents[vertex], vertex)
    found = {ROOT: "root", **states(step)}
    if step.walk and not step.walk[-1].accepted:
        own = len(step.tokens)
        graph.add_edge(step.walk[-1].vertex, own)
        found[own] = "target"
    rows = _place(graph)
    columns = 1 + max(column for _, column in graph.nodes(data="column"))
    return Tree(graph, found, columns, rows)


def _place(graph: nx.DiGraph) -> int:
    """Sets `column` and `row` on every vertex; returns the number of rows."""
    row = 0
    graph.nodes[ROOT].update(column=0, row=0)
    for parent, child in nx.dfs_edges(graph, ROOT):
        first = next(iter(graph.successors(parent))) == child
        if not first:
            row += 1
        graph.nodes[child].update(column=graph.nodes[parent]["column"] + 1, row=graph.nodes[parent]["row"] if first else row)
    return row + 1


def figure(step: Step, settings: Settings, context: str) -> Figure:
    """The step's data for the templates of `treestyle`.

    Args:
        step: the step to draw.
        settings: of the run; they decide the style, which stays the same during a run.
        context: the text so far; its end is the label of the root.

    Returns:
        `data` (one entry per template), `shapes` (boxes), `columns`, `rows` and `end` (column and row where the walk ended).
    """
    tree, style = tree_of(step), Style.of(settings)
    labels = _labels(step, tree, style, context)
    hovers = _hovers(step, tree, context)
    edges = _edges(step, tree, style)
    shapes = [*style.lines(edges), *_boxes(tree, labels, style)] if style.boxes else []
    if style.boxes:  # the boxes must cover the lines, and shapes lie below all traces
        edges = [{"x": [], "y": []} for _ in edges]
    data = [*edges, *(_vertices(tree, state, labels, hovers, style) for state in STATES)]
    last = tree.graph.nodes[max(tree.states) if "target" in tree.states.values() else step.walk[-1].vertex]
    return {
        "data": data,
        "shapes": shapes,
        "columns": tree.columns,
        "rows": tree.rows,
        "end": [last["column"], last["row"]],
    }


def _labels(step: Step, tree: Tree, style: Style, context: str) -> dict[int, str]:
    """What is written at every vertex, unescaped."""
    labels = {}
    for vertex, state in tree.states.items():
        if state == "root":
            labels[vertex] = ending(context, style.root_columns)
            continue
        own = vertex == len(step.tokens)
        name = visible(step.walk[-1].text, step.walk[-1].token) if own else visible(step.texts[vertex], step.tokens[vertex])
        name = shorten(name, style.label_columns)
        labels[vertex] = f"{SIGNS[state]} {name}" if style.boxes and state in SIGNS else name
    return labels


def _hovers(step: Step, tree: Tree, context: str) -> dict[int, str]:
    """The hover label of every vertex: token, probabilities, arrival times or ratio and coin, and the sentence."""
    visits = {visit.vertex: visit for visit in step.walk}
    hovers = {ROOT: f"<b>{escape(ending(context, 40))}</b><br>the text so far"}
    sentences = vertex_sentences(step)
    for vertex, sentence in enumerate(sentences):
        visit = visits.get(step.parents[vertex])
        row = row_of(visit, step.tokens[vertex]) if visit else None
        tried = [one for one in visit.tries if one.vertex == vertex] if visit else []
        facts = [f"draft q {number(step.draft_probs[vertex])}, the draft's {ordinal(step.ranks[vertex])} here"]
        if row or tried:
            facts.append(f"target p {number(row.p if row else tried[0].p)}")
        if row and row.clock is not None:
            facts.append(f"arrives: draft {number(row.draft_time)}, target {number(row.target_time)}")
        facts += [f"ratio {number(one.ratio)}, coin {number(one.coin)}" for one in tried if one.ratio is not None]
        name = escape(visible(step.texts[vertex], step.tokens[vertex]))
        hovers[vertex] = "<br>".join([f"<b>{name}</b>", *facts, wrapped(sentence)])
    if len(step.tokens) in tree.states:
        visit = step.walk[-1]
        row = row_of(visit, visit.token)
        facts = [f"target p {number(row.p)}" + (f", draft q {number(row.q)}" if row.q is not None else "")] if row else []
        if row and row.target_time is not None:
            draft = f"draft {number(row.draft_time)}, " if row.q is not None else ""
            facts.append(f"arrives: {draft}target {number(row.target_time)}")
        name = escape(visible(visit.text, visit.token))
        hovers[len(step.tokens)] = "<br>".join([f"<b>{name}</b>, the target's own", *facts, wrapped(own_token(step))])
    return hovers


def _edges(step: Step, tree: Tree, style: Style) -> list[Figure]:
    """One line trace per width for the drafted edges, then the accepted path, then the edge to the target's own token."""
    lines: list[Figure] = [{"x": [], "y": []} for _ in range(len(EDGE_STEPS) + 3)]
    for parent, child in tree.graph.edges:
        state = tree.states[child]
        if state == "accepted":
            line = lines[-2]
        elif state == "target":
            line = lines[-1]
        else:
            line = lines[sum(step.draft_probs[child] >= bound for bound in EDGE_STEPS)]
        ends = tree.graph.nodes[parent], tree.graph.nodes[child]
        (x0, y0), (x1, y1) = ((end["column"], end["row"]) for end in ends)
        # across, down, across: siblings share the way down, and no line passes under a label of another row
        line["x"] += [x0, x0 + style.trunk, x0 + style.trunk, x1, None]
        line["y"] += [y0, y0, y1, y1, None]
    return lines


def _vertices(tree: Tree, state: str, labels: dict[int, str], hovers: dict[int, str], style: Style) -> Figure:
    """The vertices of one state."""
    chosen = [vertex for vertex, found in tree.states.items() if found == state]
    nodes = [tree.graph.nodes[vertex] for vertex in chosen]
    data: dict[str, Any] = {
        "x": [node["column"] for node in nodes],
        "y": [node["row"] for node in nodes],
        "text": [escape(labels[vertex]) for vertex in chosen],
        "hovertext": [hovers[vertex] for vertex in chosen],
        "customdata": chosen,
    }
    if style.alternate:  # in a long chain neighbouring labels take turns above and below
        data["textposition"] = ["bottom center" if node["column"] % 2 else "top center" for node in nodes]
    return data


def _boxes(tree: Tree, labels: dict[int, str], style: Style) -> list[Figure]:
    """The boxes behind the labels, in pixels around their vertex."""
    boxes = []
    for vertex, state in tree.states.items():
        node = tree.graph.nodes[vertex]
        boxes.append(style.box(node["column"], node["row"], width(labels[vertex]), state))
    return boxes
