package next

import (
	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/kriging"
	"github.com/pfnamp/pfnamp/pfn"
)

// settingDraws is the number of settings of a Gaussian process that a search averages over.
const settingDraws = 8

// processes holds the context, and the rows that Gaussian processes predict.
type processes struct {
	space *kriging.Space
	known pfn.Training
	x     pfn.Matrix
}

// newProcesses takes the rows of answers. The spread of a column over these rows is its unit.
func newProcesses(p *pfnamp.Predictor, answers []*pfnamp.Answer) *processes {
	s := &processes{known: p.Fitted().ContextRows()}
	s.x.Cols = s.known.X.Cols
	for _, a := range answers {
		for i := range a.Rows() {
			s.x.Data = append(s.x.Data, a.Features(i)...)
			s.x.Rows++
		}
	}
	s.space = kriging.NewSpace(s.x, s.known.Categorical)
	return s
}

// search returns beliefs of processes with different lengths, scales and noise, because few rows do
// not fix these. The beliefs have equal weights.
func (s *processes) search(seed uint64) []Beliefs {
	drawn := kriging.Draws(s.space, s.known.X, s.known.Y, settingDraws, seed)
	all := make([]Beliefs, len(drawn))
	for i, process := range drawn {
		all[i] = s.believe(process)
		all[i].Weight = 1 / float64(len(drawn))
	}
	return all
}

// likeliest returns the belief of the process with the likeliest settings.
func (s *processes) likeliest() Beliefs {
	return s.believe(kriging.Fit(s.space, s.known.X, s.known.Y))
}

func (s *processes) believe(process *kriging.Process) Beliefs {
	at := process.At(s.x)
	return Beliefs{Mean: at.Mean, Spread: at.Spread, Noise: process.Noise(),
		Correlation: func(i, j int) float64 {
			if of := at.Spread[i] * at.Spread[j]; of > 0 {
				return max(-1, min(1, at.Covariance(i, j)/of))
			}
			return 0
		}}
}
