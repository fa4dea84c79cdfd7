package pfn

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/models"
)

// saved is a fitted context as Save writes it.
func saved(t testing.TB, c *Context, note string) []byte {
	t.Helper()
	var file bytes.Buffer
	must.Succeed(t, c.Save(&file, []byte(note)))
	return file.Bytes()
}

// restore reads a state from memory.
func restore(m *Model, file []byte) (*Context, error) {
	s, err := ReadState(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	return m.Restore(s)
}

// restored is restore without an error, until the end of the test.
func restored(t testing.TB, m *Model, file []byte) *Context {
	t.Helper()
	c, err := restore(m, file)
	must.Succeed(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// reseal corrects the checksum of a state that a test has changed.
func reseal(file []byte) []byte {
	body := file[:len(file)-sha256.Size]
	sum := sha256.Sum256(body)
	return append(slices.Clone(body), sum[:]...)
}

func TestStateDescribesItself(t *testing.T) {
	m := openBundle(t, tinyBundle)
	s, err := ReadState(bytes.NewReader(saved(t, fit(t, m, synthetic(1, 20, 3)), "a note")))
	must.Succeed(t, err)
	if s.Model != "tiny" || s.Version != "1" || s.SHA256 != m.Bundle().SHA256() ||
		s.Rows != 20 || s.Columns != 3 || string(s.Note) != "a note" {
		t.Errorf("state %+v", s)
	}
}

// A model that was opened to restore loads its context graph when Fit needs it.
func TestRestoreOption(t *testing.T) {
	m := open(t, Options{Restore: true})
	if m.graphs.sessions[models.ContextGraph] != nil {
		t.Error("the context graph is loaded")
	}
	predict(t, fit(t, m, synthetic(1, 10, 2)), synthetic(2, 2, 2).X)
}

// No byte of a state can change, and none can be missing or be added.
func TestStateDamaged(t *testing.T) {
	m := openBundle(t, tinyBundle)
	file := saved(t, fit(t, m, synthetic(1, 12, 2)), "note")
	check := func(what string, at int, damaged []byte) {
		var typed *StateError
		if _, err := restore(m, damaged); !errors.As(err, &typed) || typed.Hint() == "" {
			t.Errorf("%s at %d of %d: error %v", what, at, len(file), err)
		}
	}
	step := max(1, len(file)/500)
	for at := 0; at < len(file); at += step {
		flipped := slices.Clone(file)
		flipped[at] ^= 0x10
		check("a flipped bit", at, flipped)
		check("a cut", at, file[:at])
	}
	check("one byte more", len(file), append(slices.Clone(file), 0))
}

func TestStateRefused(t *testing.T) {
	m := openBundle(t, tinyBundle)
	file := saved(t, fit(t, m, synthetic(1, 12, 2)), "")
	with := func(old, changed string) []byte {
		if len(old) != len(changed) || !bytes.Contains(file, []byte(old)) {
			t.Fatalf("%q cannot become %q", old, changed)
		}
		return reseal(bytes.Replace(file, []byte(old), []byte(changed), 1))
	}
	format := slices.Clone(file)
	binary.LittleEndian.PutUint32(format[8:], StateFormat+1)
	huge := slices.Clone(file)
	binary.LittleEndian.PutUint32(huge[12:], 1<<32-1)
	cases := map[string]struct {
		file []byte
		want string
	}{
		"empty":          {nil, "not a saved state"},
		"text":           {[]byte("a,b,y\n1,2,3\n1,2,3\n1,2,3\n"), "not a saved state"},
		"other format":   {reseal(format), "but this version reads format 3"},
		"huge header":    {reseal(huge), "at most"},
		"other model":    {with(m.Bundle().SHA256()[:4], "0000"), "was made with model tiny 1"},
		"unknown field":  {with(`"target_sd"`, `"target_sx"`), "unknown field"},
		"no rows":        {with(`"rows":12`, `"rows":-9`), "exceed the model"},
		"tensor's shape": {with(`"shape":[1,2,`, `"shape":[1,0,`), "does not fit"},
		"tensor's size":  {with(`"shape":[1,2,`, `"shape":[1,9,`), "cut short"},
		"tensor's name":  {with(`"name":"iclkv.0"`, `"name":"ICLKV.0"`), "does not fit"},
	}
	for name, c := range cases {
		_, err := restore(m, c.file)
		if _, ok := errors.AsType[*StateError](err); !ok || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %q does not contain %q", name, err, c.want)
		}
	}
}

// Damage is an error of the state, even if the damaged state names another model or makes the
// network fail.
func TestDamageIsTheState(t *testing.T) {
	m := openBundle(t, tinyBundle)
	file := saved(t, fit(t, m, synthetic(1, 12, 2)), "")
	sum := []byte(m.Bundle().SHA256())
	flipped := bytes.Replace(file, sum[:4], []byte("0000"), 1)
	var state *StateError
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"flipped":   {flipped, "the state is damaged: its checksum is wrong"},
		"cut short": {flipped[:len(flipped)-40], "damaged"},
		"very":      {flipped[:len(StateMagic)+200], "cut short"},
	} {
		if _, err := restore(m, c.file); !errors.As(err, &state) || state.Other ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	hostile := slices.Clone(file)
	for at := len(hostile) - sha256.Size - 4*64; at < len(hostile)-sha256.Size; at += 4 {
		binary.LittleEndian.PutUint32(hostile[at:], math.Float32bits(math.MaxFloat32))
	}
	_, err := restored(t, m, reseal(hostile)).Predict(t.Context(), synthetic(2, 5, 2).X)
	var fault *ModelError
	if !errors.As(err, &state) || !errors.As(err, &fault) ||
		!strings.HasPrefix(err.Error(), "the model fails with the content of the state") {
		t.Errorf("hostile numbers: %v", err)
	}
	c := restored(t, m, reseal(bytes.Replace(file, []byte(`"norms":["none"`),
		[]byte(`"norms":["nine"`), 1)))
	if _, err := c.Predict(t.Context(), synthetic(2, 5, 2).X); err == nil {
		t.Error("a norm without a pipeline predicts")
	}
}

func TestSaveErrors(t *testing.T) {
	m := openBundle(t, tinyBundle)
	c := fit(t, m, synthetic(1, 12, 2))
	if err := c.Save(&bytes.Buffer{}, make([]byte, maxStateNote+1)); err == nil {
		t.Error("a note of more than 16 MiB is accepted")
	}
	if err := c.Save(fullDisk{}, nil); !errors.Is(err, errFull) {
		t.Errorf("a full disk gives %v", err)
	}
	file := saved(t, c, "")
	c.Close()
	if err := c.Save(&bytes.Buffer{}, nil); err != ErrClosed {
		t.Errorf("Save of a closed context: %v", err)
	}
	m.Close()
	if _, err := restore(m, file); err != ErrClosed {
		t.Errorf("Restore of a closed model: %v", err)
	}
}

var errFull = errors.New("disk full")

// fullDisk takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

// A state that promises gigabytes does not get them.
func TestStateMemory(t *testing.T) {
	for _, c := range []struct {
		model     *Model
		table     Training
		old, bomb string
	}{
		{openBundle(t, tinyBundle), synthetic(1, 12, 2), `"shape":[2,1,2,`, `"shape":[2,33554432,2,`},
		{openFolder(t, "../testdata/tabpfn-classes", Options{}), classTable(1, 12, 2, 3), `"classes":3`,
			`"classes":300000000`},
	} {
		file := saved(t, fit(t, c.model, c.table), "")
		promise := bytes.Replace(file, []byte(c.old), []byte(c.bomb), 1)
		length := binary.LittleEndian.Uint32(file[12:]) + uint32(len(c.bomb)-len(c.old))
		binary.LittleEndian.PutUint32(promise[12:], length)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := restore(c.model, reseal(promise)); err == nil {
			t.Errorf("%s: no error", c.bomb)
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
			t.Errorf("%s: %d MiB are allocated", c.bomb, used>>20)
		}
	}
	many := ownHeader{Members: 2 * maxMembers, Caches: make([][]cacheHeader, 2*maxMembers)}
	if _, err := many.training(&State{in: new(bytes.Buffer)}); err == nil || err == io.EOF {
		t.Errorf("%d members: %v", many.Members, err)
	}
}

// FuzzState restores states with any header, note and tensors under a right checksum.
func FuzzState(f *testing.F) {
	b, err := models.Load(tinyBundle)
	must.Succeed(f, err)
	real := openBundle(f, tinyBundle)
	file := saved(f, fit(f, real, synthetic(1, 5, 2)), "note")
	length := binary.LittleEndian.Uint32(file[12:])
	f.Add(file[20:20+length], file[20+length+4:len(file)-sha256.Size])
	flat := synthetic(1, 5, 2)
	clear(flat.X.Data)
	file = saved(f, fit(f, real, flat), "")
	f.Add(file[20:len(file)-sha256.Size], []byte{})
	m := &Model{bundle: b, family: real.family, heads: real.heads, caches: real.caches,
		chunk: chunkRows}
	f.Fuzz(func(t *testing.T, header, tensors []byte) {
		file := []byte(StateMagic)
		for _, n := range []int{StateFormat, len(header), 0} {
			file = binary.LittleEndian.AppendUint32(file, uint32(n))
		}
		file = append(append(file, header...), tensors...)
		c, err := restore(m, reseal(append(file, make([]byte, sha256.Size)...)))
		if err != nil {
			return
		}
		for _, e := range c.encoded {
			for _, tensor := range e {
				if int64(len(tensor.Data)) != size(tensor.Shape) {
					t.Error("a tensor is not full")
				}
			}
		}
	})
}
