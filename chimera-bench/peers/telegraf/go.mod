// Telegraf with nothing but the plugins that the job takes; "./chimera bench peers" builds it where there is a Go compiler.
module telegraf-peer

go 1.25.5

require github.com/influxdata/telegraf v1.37.2 // indirect
