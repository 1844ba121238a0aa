#!/usr/bin/env python3
"""Every script on a real server with real processes (live/), ten times as fast as it is written."""
import os
import pathlib
import subprocess
import sys
import time

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here.parent / "integration"), str(here / "live")]
import harness  # noqa: E402
import stand_ins  # noqa: E402

PACE = 10
PROGRAMS = pathlib.Path(os.environ.get("SLIPWAY_SCENARIO_BIN", pathlib.Path(harness.slipway).parent / "tests/scenario"))
END_TIMEOUT_S = 60


def pods_of(server):
    return harness.processes(f"{server.folder}/pods/")


def delete_everything(server):
    client = server.client()
    _, namespaces = client.send("GET", "/api/v1/namespaces")
    for namespace in namespaces["items"]:
        if namespace["metadata"]["name"].startswith("s-"):
            client.send("DELETE", f"/api/v1/namespaces/{namespace['metadata']['name']}")
    client.close()
    deadline = time.monotonic() + END_TIMEOUT_S
    while pods_of(server):
        if time.monotonic() > deadline:
            print(f"FAIL nothing_is_left: {pods_of(server)} of deleted Pods go on", flush=True)
            return False
        time.sleep(0.2)
    print("ok nothing_is_left", flush=True)
    return True


def main():
    with harness.scratch() as folder, stand_ins.metrics(folder) as metrics:
        images = folder / "images.yaml"
        images.write_text(f'"web:*": ["{PROGRAMS}/scenario_app", "{folder}", "web:$(SLIPWAY_IMAGE_TAG)"]\n')
        with harness.running("--images", str(images)) as server:
            try:
                words = [PROGRAMS / "scenario_live", server.folder / "kubeconfig", metrics, folder, str(PACE)]
                done = subprocess.run(words + sys.argv[1:2])
                clean = delete_everything(server)
            finally:
                harness.end_processes(f"{server.folder}/pods/")
    return done.returncode if done.returncode or clean else 1


if __name__ == "__main__":
    sys.exit(main())
