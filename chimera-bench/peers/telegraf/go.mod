// Telegraf with only the plugins of the job; "./chimera bench peers" builds it if a Go compiler is installed.
module telegraf-peer

go 1.25.5

require github.com/influxdata/telegraf v1.37.2 // indirect
