module slipway/tests/oracle/expr

go 1.24.0

godebug default=go1.24

require github.com/expr-lang/expr v1.17.8
