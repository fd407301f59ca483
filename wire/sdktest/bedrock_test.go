package sdktest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/schemas"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/aws/smithy-go/transport/http/protocol/restjson1"

	"github.com/cento-dev/cento/wire"
)

// converse reads a body of Converse. The library has no reader of requests, only of
// each of their parts.
type converse struct{ *bedrockruntime.ConverseInput }

func (c converse) Deserialize(d smithy.ShapeDeserializer) error {
	return smithy.ReadStruct(d, schemas.ConverseRequest, func(s *smithy.Schema) error {
		switch s {
		case schemas.ConverseRequest_messages:
			return smithy.ReadList(d, s, func() error {
				var m types.Message
				defer func() { c.Messages = append(c.Messages, m) }()
				return m.Deserialize(d)
			})
		case schemas.ConverseRequest_system:
			return smithy.ReadList(d, s, func() error {
				return smithy.ReadUnion(d, s.ListMember(), func(member *smithy.Schema) error {
					switch member {
					case schemas.SystemContentBlock_text:
						b := &types.SystemContentBlockMemberText{}
						c.System = append(c.System, b)
						return b.Deserialize(d)
					case schemas.SystemContentBlock_cachePoint:
						b := &types.SystemContentBlockMemberCachePoint{}
						c.System = append(c.System, b)
						return b.Deserialize(d)
					}
					return errors.New("a block of another kind in system")
				})
			})
		case schemas.ConverseRequest_toolConfig:
			c.ToolConfig = &types.ToolConfiguration{}
			return c.ToolConfig.Deserialize(d)
		case schemas.ConverseRequest_inferenceConfig:
			c.InferenceConfig = &types.InferenceConfiguration{}
			return c.InferenceConfig.Deserialize(d)
		}
		return errors.New("a member that isn't of Converse, or that no body here has")
	})
}

// sent keeps what a client sends and answers nothing.
type sent struct{ body string }

var errSent = errors.New("sent")

func (s *sent) Do(r *http.Request) (*http.Response, error) {
	b, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.body = string(b)
	return nil, errSent
}

// throughBedrock compares a body with the one that the client sends when it gets the same
// values. The client refuses incomplete values.
func throughBedrock(body string) error {
	s := schemas.ConverseRequest
	in := bedrockruntime.ConverseInput{ModelId: aws.String("m")}
	response := &smithyhttp.Response{Response: &http.Response{StatusCode: 200, Header: http.Header{}, ContentLength: int64(len(body)), Body: io.NopCloser(strings.NewReader(body))}}
	if err := restjson1.New(nil).DeserializeResponse(context.Background(), smithy.NewOperationSchema(s, s, s), nil, response, converse{&in}); err != nil {
		return err
	}
	var got sent
	client := bedrockruntime.New(bedrockruntime.Options{
		Region: "us-east-1", HTTPClient: &got, RetryMaxAttempts: 1,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "a", SecretAccessKey: "b"}, nil
		}),
	})
	if _, err := client.Converse(context.Background(), &in); !errors.Is(err, errSent) {
		return err
	}
	return equal(wire.Bedrock, body, got.body)
}

// bedrockText is what an answer of Converse says.
func bedrockText(a *bedrockruntime.ConverseOutput) (said string) {
	if m, ok := a.Output.(*types.ConverseOutputMemberMessage); ok {
		for _, x := range m.Value.Content {
			if text, ok := x.(*types.ContentBlockMemberText); ok {
				said += text.Value
			}
		}
	}
	return said
}
