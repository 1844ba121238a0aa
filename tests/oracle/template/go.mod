module slipway/tests/oracle/template

go 1.24.0

godebug default=go1.24
