// Times go-moremath's Mann–Whitney test on the samples run.py wrote: `moremath FOLDER` prints seconds by name.
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/aclements/go-moremath/stats"
)

const rounds, roundTime = 15, 10 * time.Millisecond

func load(name string) (points []float64) {
	text, err := os.ReadFile(filepath.Join(os.Args[1], name+".json"))
	if err == nil {
		err = json.Unmarshal(text, &points)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "moremath:", err)
		os.Exit(3)
	}
	return points
}

func p(x, y []float64) float64 {
	result, err := stats.MannWhitneyUTest(x, y, stats.LocationDiffers)
	if err != nil {
		panic(err)
	}
	return result.P
}

func seconds(work func()) float64 {
	calls := 1
	for ; ; calls *= 2 {
		begin := time.Now()
		for i := 0; i < calls; i++ {
			work()
		}
		if time.Since(begin) > roundTime {
			break
		}
	}
	best := math.Inf(1)
	for range rounds {
		begin := time.Now()
		for i := 0; i < calls; i++ {
			work()
		}
		best = min(best, time.Since(begin).Seconds()/float64(calls))
	}
	return best
}

func main() {
	out, check := map[string]any{}, map[string]float64{}
	for name, size := range map[string]string{"exact50": "50", "exact25ties": "25ties", "test1000": "1000"} {
		x, y := load("experiment"+size), load("control"+size)
		out[name] = seconds(func() { p(x, y) })
		check[name] = p(x, y)
	}
	out["check"] = check
	json.NewEncoder(os.Stdout).Encode(out)
}
