#include "analysis/report/page_style.h"

namespace slipway::analysis::report {

const std::string_view kPageStyle = R"css(
:root { color-scheme: light dark; --back: #ffffff; --card: #f6f8fa; --text: #1f2328; --dim: #59636e;
  --edge: #d1d9e0; --pass: #1a7f37; --fail: #c6202b; --unsure: #8a5a00; --open: #0969da;
  --control: #5b6b7c; --experiment: #d4500c; }
@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --card: #161b22; --text: #e6edf3;
  --dim: #9198a1; --edge: #3d444d; --pass: #3fb950; --fail: #ff6a61; --unsure: #d9a023;
  --open: #4c9aff; --control: #9fb0c3; --experiment: #ff8f4d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; background: var(--back);
  color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
header, section { border: 1px solid var(--edge); border-radius: 8px; padding: 1rem 1.25rem;
  margin: 0 0 1rem; background: var(--card); overflow-wrap: anywhere; }
header { border-left-width: 8px; }
header.pass { border-left-color: var(--pass); } header.fail { border-left-color: var(--fail); }
header.unsure { border-left-color: var(--unsure); } header.open { border-left-color: var(--open); }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; } h2 { font-size: 1.2rem; margin: 1.5rem 0 .5rem; }
h3 { font-size: 1.1rem; margin: 0 0 .25rem; } h4 { margin: 1rem 0 .25rem; }
p { margin: .25rem 0; } .facts span { margin-right: 1.25rem; display: inline-block; }
.facts, .note, .unit, figcaption { color: var(--dim); font-size: .87rem; }
.badge { border-radius: 1em; padding: .1em .7em; font-size: .8em; font-weight: 600;
  color: var(--back); background: var(--open); white-space: nowrap; }
.badge.pass { background: var(--pass); } .badge.fail { background: var(--fail); }
.badge.unsure { background: var(--unsure); }
table { border-collapse: collapse; margin: .5rem 0; font-size: .87rem; display: block;
  overflow-x: auto; max-width: 100%; }
th, td { text-align: right; padding: .2rem .7rem; border-bottom: 1px solid var(--edge);
  font-variant-numeric: tabular-nums; white-space: nowrap; }
th { font-weight: 600; color: var(--dim); } th:first-child, td:first-child, .text { text-align: left; }
td.text { white-space: normal; min-width: 14rem; } td.name { white-space: normal; min-width: 9rem; }
a { color: inherit; } figure { margin: .75rem 0; overflow-x: auto; }
svg { width: 100%; min-width: 32rem; height: auto; display: block; }
svg .grid { stroke: var(--edge); stroke-width: 1; } svg .tick { fill: var(--dim); font-size: 11px; }
svg .line { fill: none; stroke-width: 1.8; stroke-linejoin: round; stroke: var(--open); }
svg .line.control { stroke: var(--control); stroke-dasharray: 5 3; }
svg .line.experiment { stroke: var(--experiment); }
svg .line.boundary { stroke: var(--fail); stroke-dasharray: 2 3; }
svg .line.other1 { stroke: var(--experiment); } svg .line.other2 { stroke: var(--pass); }
svg .line.other3 { stroke: var(--unsure); }
svg .dot { fill: var(--open); } svg .dot.control { fill: var(--control); }
svg .dot.experiment, svg .dot.other1 { fill: var(--experiment); } svg .dot.other2 { fill: var(--pass); }
svg .dot.other3 { fill: var(--unsure); }
svg .level { stroke: var(--unsure); stroke-dasharray: 6 4; }
svg .mark { stroke: var(--dim); stroke-width: 1; opacity: .45; } svg .mark.fail { stroke: var(--fail); opacity: .9; }
svg .zero { stroke: var(--dim); stroke-dasharray: 3 3; }
svg .interval { stroke: var(--experiment); stroke-width: 2.5; fill: none; }
.key { margin-right: 1rem; white-space: nowrap; } .key::before { content: ""; display: inline-block;
  width: 1.4em; border-top: 3px solid var(--open); vertical-align: middle; margin-right: .4em; }
.key.control::before { border-top: 3px dashed var(--control); }
.key.experiment::before, .key.other1::before { border-top-color: var(--experiment); }
.key.other2::before { border-top-color: var(--pass); } .key.other3::before { border-top-color: var(--unsure); }
.key.boundary::before { border-top: 3px dotted var(--fail); }
pre { background: var(--back); border: 1px solid var(--edge); border-radius: 6px; padding: .6rem;
  margin: .25rem 0; overflow: auto; max-height: 20rem; white-space: pre-wrap; font-size: .82rem; }
dl { margin: 0; } dt { color: var(--dim); font-size: .87rem; } dd { margin: 0 0 .5rem; }
summary { cursor: pointer; color: var(--dim); } button { font: inherit; font-size: .85rem; }
@media print { details > * { display: block; } section { break-inside: avoid; } }
)css";

const std::string_view kPageScript = R"js(
document.addEventListener("click", function (event) {
  if (!event.target.classList.contains("copy")) return;
  var points = event.target.parentNode.querySelector("pre.csv");
  function say(word) { event.target.textContent = word; }
  function select() {
    var range = document.createRange();
    range.selectNodeContents(points);
    var selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    say(document.execCommand("copy") ? "copied" : "selected: press Ctrl+C");
  }
  if (navigator.clipboard)
    navigator.clipboard.writeText(points.textContent).then(function () { say("copied"); }, select);
  else
    select();
});
)js";

}  // namespace slipway::analysis::report
