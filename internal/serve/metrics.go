package serve

import (
	"context"
	"net/http"
	"regexp"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/sync/singleflight"

	"github.com/cento-dev/cento"
)

// metrics are what operators watch. No label comes from a request: operations are those
// of the table of routes, codes those of the program.
type metrics struct {
	registry    *prometheus.Registry
	requests    *prometheus.CounterVec
	seconds     *prometheus.HistogramVec
	underWay    prometheus.Gauge
	panics      prometheus.Counter
	assemble    prometheus.Histogram
	tokens      prometheus.Histogram
	fragments   *prometheus.CounterVec
	store       *prometheus.HistogramVec
	storeErrors *prometheus.CounterVec
	reminders   *prometheus.CounterVec
	streams     prometheus.Gauge
	prefix      prometheus.Histogram
}

func newMetrics() *metrics {
	m := &metrics{registry: prometheus.NewRegistry()}
	quick := prometheus.ExponentialBuckets(0.0001, 4, 9) // 0.1 ms to 6.5 s
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	m.requests = counter("cento_requests_total", "Requests that were answered, by operation and status.", "op", "code")
	m.seconds = prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "cento_request_seconds", Help: "How long requests took.", Buckets: quick}, []string{"op"})
	m.underWay = prometheus.NewGauge(prometheus.GaugeOpts{Name: "cento_requests_in_flight", Help: "Requests under way: whose body comes, that wait, that are answered or whose answer goes."})
	m.panics = prometheus.NewCounter(prometheus.CounterOpts{Name: "cento_panics_total", Help: "Requests at which the program made a mistake."})
	m.assemble = prometheus.NewHistogram(prometheus.HistogramOpts{Name: "cento_assemble_seconds", Help: "How long operations that assemble a project's prompt took, what they collected included.", Buckets: quick})
	m.tokens = prometheus.NewHistogram(prometheus.HistogramOpts{Name: "cento_prompt_tokens", Help: "Tokens of prompts that were counted.", Buckets: prometheus.ExponentialBuckets(64, 4, 8)})
	m.fragments = counter("cento_fragments", "Fragments that were decided, by verdict and the code of the reason.", "verdict", "code")
	m.store = prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "cento_store_seconds", Help: "How long operations on the store took.", Buckets: quick}, []string{"call", "engine"})
	m.storeErrors = counter("cento_store_errors_total", "Requests that failed at the store, by the code of the error.", "code")
	m.reminders = counter("cento_reminders_total", "What happened to reminders.", "event")
	m.streams = prometheus.NewGauge(prometheus.GaugeOpts{Name: "cento_event_streams", Help: "Clients that listen to events."})
	m.prefix = prometheus.NewHistogram(prometheus.HistogramOpts{Name: "cento_cache_prefix_ratio", Help: "The part of a request's input that its provider found in the prompt cache, as it was billed.", Buckets: prometheus.LinearBuckets(0, 0.1, 11)})
	m.registry.MustRegister(
		m.requests, m.seconds, m.underWay, m.panics, m.assemble, m.tokens, m.fragments, m.store, m.storeErrors, m.reminders, m.streams, m.prefix,
		collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(liveHeap())), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// decided counts the fragments of an explanation, and its tokens where they are counted.
func (m *metrics) decided(e *cento.Explanation) {
	for i := range e.Fragments {
		verdict := "out"
		if e.Fragments[i].Included {
			verdict = "in"
		}
		m.fragments.WithLabelValues(verdict, string(e.Fragments[i].Code)).Inc()
	}
	if e.Tokens != nil {
		m.tokens.Observe(float64(*e.Tokens))
	}
}

// open counts the sessions of the store, each time that somebody looks: all replicas tell
// the same. Where the store can't be reached nothing is told. Who looks at once shares one
// question: nobody needs a token at the address for metrics.
type open struct {
	about  *prometheus.Desc
	count  func(context.Context) (int64, error)
	most   time.Duration
	asking singleflight.Group
}

// countTime is how long the store has to count: who scrapes gives up after ten seconds,
// unless it is told otherwise, and then has nothing.
const countTime = 2 * time.Second

func newOpen(count func(context.Context) (int64, error), most time.Duration) *open {
	return &open{about: prometheus.NewDesc("cento_sessions_open", "Sessions in the store.", nil, nil), count: count, most: min(countTime, most/2)}
}

func (o *open) Describe(to chan<- *prometheus.Desc) { to <- o.about }

func (o *open) Collect(to chan<- prometheus.Metric) {
	n, err, _ := o.asking.Do("count", func() (any, error) {
		ctx, cancel := context.WithTimeout(context.Background(), o.most)
		defer cancel()
		return o.count(ctx)
	})
	if err == nil {
		to <- prometheus.MustNewConstMetric(o.about, prometheus.GaugeValue, float64(n.(int64)))
	}
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// liveHeap is go_gc_heap_live_bytes: what the last collection found in use. The rest of the
// heap is garbage that has room, so what a service needs isn't seen in it.
func liveHeap() collectors.GoRuntimeMetricsRule {
	return collectors.GoRuntimeMetricsRule{Matcher: regexp.MustCompile(`^/gc/heap/live:bytes$`)}
}
