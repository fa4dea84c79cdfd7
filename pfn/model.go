package pfn

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// Options are the options for opening a model. The zero value is the default.
type Options struct {
	Library string // onnxruntime library; empty = search
	Device  string // one of Devices (empty = "auto"), or with a number as in "cuda:1"
	// Precision is the precision of the network: Float32 (or empty), Int8 or AutoPrecision. Restored
	// contexts keep theirs.
	Precision string
	Threads   int // threads in all, up to MaxThreads; 0 = GOMAXPROCS
	Members   int // ensemble members; 0 = preset of the bundle
	// Refit keeps the context graph loaded between calls of Fit, with its memory: 0.9 GB for 2000
	// rows of 20 features. Otherwise the memory is freed after every Fit, and the next Fit loads
	// the graph again, which takes about 0.2 s.
	Refit bool
	// Restore leaves the context graph unloaded until Fit needs it. Model.Restore does not need it.
	Restore bool
	// Late leaves the query graph unloaded until Model.Load or the first prediction needs it, if
	// the device is a CPU. Loading takes about 0.2 s.
	Late bool
	// Memory is the memory limit of the process in bytes; 0 = none. A context whose estimate
	// exceeds it is refused with a *MemoryError before it is encoded, as is a bundle that does not
	// fit alone. There is no estimate for devices with their own memory.
	Memory int64
	// Batch is the largest number of query rows in a call of Predict; with 0 the estimate ignores
	// predictions.
	Batch int
	// Contexts is the number of contexts open at the same time, for the estimate; 0 = 1.
	Contexts int
	// NoFingerprint stops the members of a TabPFN ensemble from reading a hash of the row. The hash
	// distinguishes equal rows, but changes with the last bit of a feature.
	NoFingerprint bool
	// TimeLimit limits the time of one run of a graph, and of loading one. 0 means RunLimit of the
	// table, a negative time no limit. Exceeding it is a *TimeLimitError.
	TimeLimit time.Duration
}

// MaxThreads is the largest number of threads of a model: more than the processors of any machine,
// but few enough to start quickly.
const MaxThreads = 1024

// largeGraphs is the size of graphs whose memory is returned to the system at once.
const largeGraphs = 32 << 20

// Model is a network loaded into onnxruntime. It is safe for concurrent use.
type Model struct {
	bundle  *models.Bundle
	members int
	workers int // runs of the query graph at the same time
	chunk   int // query rows in one run
	info    Runtime

	runtime  *ort.Runtime
	family   family
	heads    [roles]head        // outputs of the query graph, in its order; nil if there is none
	caches   []ort.Port         // models.Bundle.Caches
	encoding ort.SessionOptions // of the context graph
	querying ort.SessionOptions // of the query graph, which has one thread: see load

	precision precision
	widths    widths

	binds bool // contexts are bound, see bound
	// deviceMemory is that of a device with its own, in bytes; 0 = unknown.
	deviceMemory uint64
	bound        sync.Map // open contexts with bindings

	graphs graphs

	options  Options    // of Open
	besideMu sync.Mutex // of beside
	beside   *Model     // the companion, once it was needed

	closing sync.RWMutex // read-locked while the sessions are in use
	closed  bool
}

// Open loads the graphs of a bundle into onnxruntime. The caller must Close the model. Errors are
// *LibraryError, *DeviceError, *PrecisionError, *NativeError, *TimeLimitError or *BundleError.
func Open(b *models.Bundle, opt Options) (*Model, error) {
	if opt.Members < 0 || opt.Threads < 0 || opt.Threads > MaxThreads {
		return nil, fmt.Errorf("pfn: members %d and threads %d must be at least 0, and threads "+
			"at most %d", opt.Members, opt.Threads, MaxThreads)
	}
	lib, steps, err := ort.Find(opt.Library, opt.Device)
	if err != nil {
		return nil, err
	}
	m := &Model{bundle: b, family: families[b.Manifest.Family], members: opt.Members, options: opt,
		graphs: graphs{sessions: map[string]*ort.Session{}}, heads: headsOf(&b.Manifest),
		caches: b.Caches(), widths: widthsOf(b.Caches())}
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
	placement, err := m.load(opt)
	if err != nil {
		return nil, errors.Join(err, m.release())
	}
	b.Forget() // of a graph that Options left for later
	if b.Size() > largeGraphs {
		debug.FreeOSMemory() // the library has copied the graphs
	}
	if placement.Device != "cpu" {
		m.workers, m.chunk, m.binds = 1, deviceRows, true
		m.deviceMemory = placement.Memory
	}
	m.info = Runtime{Library: lib, Steps: steps, Device: placement.Device,
		Reason: placement.Reason, Threads: opt.Threads}
	return m, nil
}

// load creates both sessions, except what is left for later, in parallel, because onnxruntime takes
// 0.15 s to optimise each.
//
// Members and chunks of rows run in parallel too, which uses processors better than many threads
// inside one operator. Queries have one thread each; the members of a context share the threads.
func (m *Model) load(opt Options) (ort.Placement, error) {
	m.encoding = ort.SessionOptions{
		Threads: max(1, opt.Threads/m.members), Device: opt.Device}
	m.querying = ort.SessionOptions{Threads: 1, Device: opt.Device, Repeats: true}
	placement, sure, err := m.runtime.Place(opt.Device)
	if err == nil {
		err = m.choosePrecision(opt.Precision, placement.Device)
	}
	if err != nil {
		return placement, err
	}
	var jobs errgroup.Group
	jobs.Go(panics.Job(func() error {
		if opt.Restore {
			return nil
		}
		session, err := m.contextSession(context.Background(), models.ContextGraph)
		m.graphs.mu.Lock()
		defer m.graphs.mu.Unlock()
		if err == nil {
			m.graphs.sessions[models.ContextGraph] = session
		}
		return err
	}))
	jobs.Go(panics.Job(func() error {
		if opt.Late && sure {
			return nil
		}
		session, err := m.loadQuery(context.Background(), m.precision.String())
		if err == nil {
			placement = session.Placement
		}
		return err
	}))
	err = jobs.Wait()
	return placement, err
}

// Runtime returns the library and the device of the model, and why they were chosen.
func (m *Model) Runtime() Runtime {
	info := m.info
	info.Precision = m.precision.String()
	return info
}

// Bundle returns the bundle that the model was opened from.
func (m *Model) Bundle() *models.Bundle { return m.bundle }

// Members returns the number of ensemble members that Fit creates, unless the features have too few
// permutations, or classes have trees, with which there are twice as many.
func (m *Model) Members() int { return m.members }

// Close waits for running calls and frees all native memory. Contexts of the model become unusable.
// A second Close returns ErrClosed.
func (m *Model) Close() error {
	m.closing.Lock()
	defer m.closing.Unlock()
	if m.closed {
		return ErrClosed
	}
	m.closed = true
	return m.release()
}

// release frees everything that load and Open have created.
func (m *Model) release() error {
	var errs []error
	m.bound.Range(func(c, _ any) bool {
		errs = append(errs, c.(*Context).unbind())
		return true
	})
	if m.beside != nil {
		errs = append(errs, m.beside.Close())
	}
	for _, session := range m.graphs.sessions {
		errs = append(errs, session.Close())
	}
	return errors.Join(append(errs, m.runtime.Close())...)
}

// Name returns the name and the version of the model, as in error messages.
func (m *Model) Name() string {
	return m.bundle.Manifest.Name + " " + m.bundle.Manifest.Version
}
