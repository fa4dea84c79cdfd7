package pfn

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// Options say how a model is opened. The zero value is the default.
type Options struct {
	Library string // onnxruntime library; empty = search
	Device  string // "auto" (or empty), "cpu", "cuda", "cuda:i"
	// Precision is that of the graph that reads a context: Float32 (or empty), Int8 or
	// AutoPrecision. Contexts that are restored keep theirs.
	Precision string
	Threads   int // threads in all, up to MaxThreads; 0 = GOMAXPROCS
	Members   int // ensemble members; 0 = preset of the bundle
	// Refit keeps the context graph loaded between calls of Fit, with the memory that it grew to:
	// 0.9 GB for 2000 rows of 20 features. Otherwise that memory is freed after every Fit, and
	// every further Fit loads the graph again, which takes about 0.2 s.
	Refit bool
	// Restore leaves the context graph unloaded until Fit asks for it: Model.Restore does not
	// need it.
	Restore bool
	// Late leaves the query graph unloaded until Model.Load or the first prediction asks for it, where
	// the device is known without it: a CPU. Loading takes about 0.2 s.
	Late bool
	// Memory is the most bytes that the process may take; 0 = any. A context for which an estimate
	// says more is refused with a *MemoryError before it is encoded, as is a bundle that does not
	// fit by itself. On devices with memory of their own nothing is estimated.
	Memory int64
	// Batch is the number of query rows that Predict will be called with at most; 0 leaves what
	// predictions take out of the estimate.
	Batch int
	// Contexts is the number of contexts that will be open at the same time, for the estimate; 0 = 1.
	Contexts int
	// NoFingerprint keeps the members of a TabPFN ensemble from reading a hash of the row, which
	// tells equal rows apart but follows every change in the last bit of a feature.
	NoFingerprint bool
	// TimeLimit is the most time that one run of a graph, and loading one, may take. 0 is RunLimit
	// of the table, a negative time no limit. What takes longer is stopped, a *TimeLimitError.
	TimeLimit time.Duration
}

// MaxThreads is the most threads that a model takes: more than processors in any one machine, and
// few enough that starting them takes no time to speak of.
const MaxThreads = 1024

// largeGraphs is the size of graphs whose bytes are worth returning to the system at once.
const largeGraphs = 32 << 20

// Model is a network loaded into onnxruntime. It is safe for concurrent use.
type Model struct {
	bundle  *models.Bundle
	members int
	workers int // runs of the query graph at the same time
	chunk   int // query rows in one run
	info    Runtime

	runtime  *ort.Runtime
	query    query
	family   family
	heads    [roles]*placed     // outputs of the query graph; nil where there is none
	caches   []ort.Port         // inputs of the query graph that the context graph makes, in order
	encoding ort.SessionOptions // of the context graph

	precision string // of the context graph, Float32 or Int8
	refit     bool
	widths    widths
	memory    int64 // see Options
	batch     int
	contexts  int

	noFingerprint bool
	timeLimit     time.Duration

	binds    bool     // contexts are bound: see bound
	bindings sync.Map // those of open contexts, *ort.Binding

	spare   sync.Mutex
	context *ort.Session // for the next Fit, or nil

	tree treeGraphs

	closing sync.RWMutex // read-locked while the sessions are in use
	closed  bool
}

// Open loads the graphs of a bundle into onnxruntime. The caller must Close the model. Errors are
// *LibraryError, *DeviceError, *PrecisionError, *NativeError, *TimeLimitError or *BundleError.
func Open(b *models.Bundle, opt Options) (*Model, error) {
	if opt.Members < 0 || opt.Threads < 0 || opt.Threads > MaxThreads {
		return nil, fmt.Errorf("pfn: members %d and threads %d must not be negative, and threads "+
			"at most %d", opt.Members, opt.Threads, MaxThreads)
	}
	family, err := familyOf(b)
	if err != nil {
		return nil, err
	}
	lib, steps, err := ort.Find(opt.Library, wantsCUDA(opt.Device))
	if err != nil {
		return nil, err
	}
	m := &Model{bundle: b, family: family, members: opt.Members, refit: opt.Refit,
		noFingerprint: opt.NoFingerprint, timeLimit: opt.TimeLimit,
		memory: opt.Memory, batch: opt.Batch, contexts: max(1, opt.Contexts),
		tree: treeGraphs{sessions: map[string]*ort.Session{}},
	}
	if err := m.checkLoading(); err != nil {
		return nil, err
	}
	if m.members == 0 {
		m.members = b.Manifest.Ensemble.Members
	}
	if opt.Threads == 0 {
		opt.Threads = min(runtime.GOMAXPROCS(0), MaxThreads)
	}
	m.workers, m.chunk = opt.Threads, chunkRows
	if m.runtime, err = ort.Start(lib); err != nil {
		return nil, err
	}
	if err := m.load(opt); err != nil {
		return nil, errors.Join(err, m.release())
	}
	if b.Size() > largeGraphs {
		debug.FreeOSMemory() // the library has copied the graphs
	}
	if m.heads, err = headsOf(b, m.query.outputs); err != nil {
		return nil, errors.Join(err, m.release())
	}
	m.caches = m.query.inputs[1:]
	m.widths = widthsOf(m.caches)
	placement := m.query.placement
	if placement.Device != "cpu" {
		m.workers, m.chunk, m.binds = 1, deviceChunkRows, true
	}
	m.info = Runtime{Library: lib, Steps: steps, Device: placement.Device,
		Reason: placement.Reason, Threads: opt.Threads, Precision: m.precision}
	return m, nil
}

// load creates both sessions, but what is left for later, side by side because onnxruntime takes
// 0.15 s to optimise each.
//
// Members and chunks of rows run side by side too, which uses processors better than many threads
// inside one operator: queries have one thread each, and the members of a context share out the
// threads.
func (m *Model) load(opt Options) error {
	m.encoding = ort.SessionOptions{
		Threads: max(1, opt.Threads/m.members), Device: opt.Device}
	placement, _, err := m.runtime.Place(opt.Device)
	if err != nil {
		return err
	}
	if err := m.choosePrecision(opt.Precision, placement.Device); err != nil {
		return err
	}
	var jobs errgroup.Group
	jobs.Go(panics.Job(func() (err error) {
		if !opt.Restore {
			m.context, err = m.contextSession(context.Background(), models.ContextGraph)
		}
		return err
	}))
	jobs.Go(panics.Job(func() error { return m.openQuery(opt) }))
	return jobs.Wait()
}

// session loads one graph of the bundle, with 8-bit products if eight.
func (m *Model) session(
	ctx context.Context, name string, opt ort.SessionOptions, eight bool,
) (*ort.Session, error) {
	graph, err := m.bundle.Graph(name)
	if err == nil && eight {
		graph, err = m.rounded(name, graph)
	}
	if err != nil {
		return nil, err
	}
	ctx, stop := m.within(ctx, "loading its "+name+" graph", 0, 0)
	defer stop()
	session, err := m.runtime.NewSession(ctx, graph, opt)
	if err != nil {
		return nil, fmt.Errorf("model %s: %s graph: %w", m.Name(), name, err)
	}
	return session, nil
}

// takeContext returns a session of the context graph for one Fit, which gives it back.
func (m *Model) takeContext(ctx context.Context) (*ort.Session, error) {
	m.spare.Lock()
	session := m.context
	m.context = nil
	m.spare.Unlock()
	if session != nil {
		return session, nil
	}
	return m.contextSession(ctx, models.ContextGraph)
}

// giveContext keeps a session for the next Fit, or frees it.
func (m *Model) giveContext(session *ort.Session) error {
	m.spare.Lock()
	defer m.spare.Unlock()
	if m.refit && m.context == nil {
		m.context = session
		return nil
	}
	return session.Close()
}

// Runtime says which library and device the model runs on and why.
func (m *Model) Runtime() Runtime { return m.info }

// Bundle returns the bundle that the model was opened from.
func (m *Model) Bundle() *models.Bundle { return m.bundle }

// Members returns the number of ensemble members that Fit composes, unless the features have not
// enough permutations.
func (m *Model) Members() int { return m.members }

// Close waits for calls in flight and frees all native memory. Contexts of the model cannot be
// used afterwards. A second Close returns ErrClosed.
func (m *Model) Close() error {
	m.closing.Lock()
	defer m.closing.Unlock()
	if m.closed {
		return ErrClosed
	}
	m.closed = true
	return m.release()
}

// release frees what load and Open have made so far.
func (m *Model) release() error {
	errs := m.unbindAll()
	sessions := slices.Collect(maps.Values(m.tree.sessions))
	for _, session := range append(sessions, m.context, m.query.session) {
		if session != nil {
			errs = append(errs, session.Close())
		}
	}
	return errors.Join(append(errs, m.runtime.Close())...)
}

// Name returns name and version of the model, as error messages give them.
func (m *Model) Name() string {
	return m.bundle.Manifest.Name + " " + m.bundle.Manifest.Version
}
