module example.com/mooring

go 1.26
