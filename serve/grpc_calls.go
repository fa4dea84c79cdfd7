package serve

import (
	"context"

	"github.com/pfnamp/pfnamp/serve/internal/oip"
	"github.com/pfnamp/pfnamp/serve/internal/oippb"
)

// protocol answers the calls of the Open Inference Protocol.
type protocol struct {
	oippb.UnimplementedGRPCInferenceServiceServer
	s *Server
}

func (p *protocol) ServerLive(
	context.Context, *oippb.ServerLiveRequest,
) (*oippb.ServerLiveResponse, error) {
	return &oippb.ServerLiveResponse{Live: true}, nil
}

func (p *protocol) ServerReady(
	context.Context, *oippb.ServerReadyRequest,
) (*oippb.ServerReadyResponse, error) {
	return &oippb.ServerReadyResponse{Ready: p.s.Ready()}, nil
}

func (p *protocol) ServerMetadata(
	context.Context, *oippb.ServerMetadataRequest,
) (*oippb.ServerMetadataResponse, error) {
	return &oippb.ServerMetadataResponse{Name: platform, Version: p.s.options.Version,
		Extensions: extensions}, nil
}

func (p *protocol) ModelReady(
	ctx context.Context, in *oippb.ModelReadyRequest,
) (*oippb.ModelReadyResponse, error) {
	_, err := p.s.model(in.Name, in.Version, requestOf(ctx))
	return &oippb.ModelReadyResponse{Ready: p.s.Ready()}, err
}

func (p *protocol) ModelMetadata(
	ctx context.Context, in *oippb.ModelMetadataRequest,
) (*oippb.ModelMetadataResponse, error) {
	m, err := p.s.model(in.Name, in.Version, requestOf(ctx))
	if err != nil {
		return nil, err
	}
	return p.s.metadataOf(m), nil
}

// ModelInfer answers for rows. Outputs are in binary.
func (p *protocol) ModelInfer(
	ctx context.Context, in *oippb.ModelInferRequest,
) (*oippb.ModelInferResponse, error) {
	of := requestOf(ctx)
	of.asks = true
	m, err := p.s.model(in.ModelName, in.ModelVersion, of)
	if err != nil {
		return nil, err
	}
	asked, err := askedOf(in, of.held.take)
	if err != nil {
		return nil, err
	}
	response, err := m.infer(ctx, asked, of)
	if err != nil {
		return nil, err
	}
	out := &oippb.ModelInferResponse{ModelName: m.Name, ModelVersion: m.Version, Id: in.Id}
	if response.Warnings != "" {
		out.Parameters = map[string]*oippb.InferParameter{"warnings": {
			ParameterChoice: &oippb.InferParameter_StringParam{StringParam: response.Warnings}}}
	}
	for _, result := range response.Outputs {
		out.Outputs = append(out.Outputs, &oippb.ModelInferResponse_InferOutputTensor{Name: result.Name,
			Datatype: string(result.Datatype), Shape: []int64{int64(result.Rows)}})
		out.RawOutputContents = append(out.RawOutputContents, result.AppendBinary(nil))
	}
	return out, nil
}

func askedOf(in *oippb.ModelInferRequest, take func(bytes int64) error) (*oip.Request, error) {
	raw := len(in.RawInputContents) > 0
	if raw && len(in.RawInputContents) != len(in.Inputs) {
		return nil, faultf(400, "there are %d raw_input_contents for %d inputs: send one for every input",
			len(in.RawInputContents), len(in.Inputs))
	}
	asked := &oip.Request{ID: in.Id}
	for i, input := range in.Inputs {
		if raw && input.Contents != nil {
			return nil, faultf(400, "input %q has both contents and raw_input_contents: send one of them",
				input.Name)
		}
		b, err := oip.NewBuilder(input.Name, oip.Datatype(input.Datatype), input.Shape, take)
		if err != nil {
			return nil, err
		}
		if raw {
			b.Binary(in.RawInputContents[i])
		} else {
			build(b, input.Contents)
		}
		t, err := b.Tensor()
		if err != nil {
			return nil, err
		}
		asked.Inputs = append(asked.Inputs, t)
	}
	for _, o := range in.Outputs {
		asked.Outputs = append(asked.Outputs, oip.Output{Name: o.Name})
	}
	return asked, nil
}

// build appends the contents of an input, which are in the field of its datatype.
func build(b *oip.Builder, c *oippb.InferTensorContents) {
	for _, v := range c.GetBoolContents() {
		b.Bool(v)
	}
	for _, v := range c.GetIntContents() {
		b.Int(int64(v))
	}
	for _, v := range c.GetInt64Contents() {
		b.Int(v)
	}
	for _, v := range c.GetUintContents() {
		b.Uint(uint64(v))
	}
	for _, v := range c.GetUint64Contents() {
		b.Uint(v)
	}
	for _, v := range c.GetFp32Contents() {
		b.Float(float64(v))
	}
	for _, v := range c.GetFp64Contents() {
		b.Float(v)
	}
	for _, v := range c.GetBytesContents() {
		b.Text(v)
	}
}
