# A thin wrapper of the wheel: docs/deploying.md. The tests run its commands, but have never built it.

FROM python:3.13-slim-bookworm AS build
WORKDIR /src
COPY . .
RUN python -m venv /opt/ofcscore \
    && /opt/ofcscore/bin/pip install --no-cache-dir --require-hashes -r requirements.txt \
    && python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels . \
    && /opt/ofcscore/bin/pip install --no-cache-dir --no-index --no-deps /wheels/*.whl

FROM python:3.13-slim-bookworm
COPY --from=build /opt/ofcscore /opt/ofcscore
RUN install --directory --owner=10001 --group=10001 --mode=0700 /data
ENV DATA_DIR=/data HOME=/data PYTHONDONTWRITEBYTECODE=1
VOLUME /data
EXPOSE 8000
USER 10001:10001
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["/opt/ofcscore/bin/python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz', timeout=3)"]
ENTRYPOINT ["/opt/ofcscore/bin/ofcscore"]
CMD ["serve"]
