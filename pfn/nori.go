package pfn

// noriFamily has ensembles of TabPFN's kind whose members predict quantiles.
type noriFamily struct{ tabpfnFamily }

func (noriFamily) cost() cost { return cost{copies: 12, pipeline: 300, stacked: 2.5} }
