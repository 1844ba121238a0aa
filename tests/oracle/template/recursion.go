package main

import "text/template/parse"

// recursive tells whether a text defines templates that call each other in a circle. Go would follow it 100,000
// levels down, and values that grow on the way fill the memory first.
func recursive(text string) bool {
	known := map[string]any{}
	for name := range functions {
		known[name] = true
	}
	trees, err := parse.Parse("tmpl", text, "", "", known)
	if err != nil {
		return false
	}
	calls := map[string][]string{}
	for name, tree := range trees {
		calls[name] = called(tree.Root, nil)
	}
	visiting, done := map[string]bool{}, map[string]bool{}
	var circular func(name string) bool
	circular = func(name string) bool {
		if done[name] || visiting[name] {
			return visiting[name]
		}
		visiting[name] = true
		for _, next := range calls[name] {
			if circular(next) {
				return true
			}
		}
		visiting[name], done[name] = false, true
		return false
	}
	for name := range calls {
		if circular(name) {
			return true
		}
	}
	return false
}

// called appends the templates that a node calls.
func called(node parse.Node, names []string) []string {
	lists := func(branch *parse.BranchNode) {
		names = called(branch.List, names)
		if branch.ElseList != nil {
			names = called(branch.ElseList, names)
		}
	}
	switch n := node.(type) {
	case *parse.ListNode:
		for _, child := range n.Nodes {
			names = called(child, names)
		}
	case *parse.IfNode:
		lists(&n.BranchNode)
	case *parse.RangeNode:
		lists(&n.BranchNode)
	case *parse.WithNode:
		lists(&n.BranchNode)
	case *parse.TemplateNode:
		names = append(names, n.Name)
	}
	return names
}
