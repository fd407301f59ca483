# The service as a container: one static program, no shell, no user but nobody.
#
#   docker build -t cento --build-arg VERSION="$(git describe --tags --always)" .
#   docker run --read-only --cap-drop ALL --security-opt no-new-privileges \
#     -p 127.0.0.1:7420:7420 -v ./web:/projects/web:ro -v ./tokens:/run/cento/tokens:ro \
#     cento --project web=/projects/web --tokens /run/cento/tokens --store postgres://…
#
# Its health is asked over HTTP by whoever runs it: /healthz and /readyz.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
# The history stays outside, so what this is has to be said.
ARG VERSION=devel
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -X github.com/cento-dev/cento/internal/app.version=$VERSION" -o /out/cento ./cmd/cento
RUN mkdir -p /out/state

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/cento /cento
COPY --from=build --chown=65532:65532 /out/state /state
USER 65532:65532
ENV HOME=/state XDG_STATE_HOME=/state CENTO_SERVE_LISTEN=0.0.0.0:7420 CENTO_SERVE_METRICS_LISTEN=0.0.0.0:7421
EXPOSE 7420 7421
VOLUME /state
STOPSIGNAL SIGTERM
ENTRYPOINT ["/cento", "serve"]
