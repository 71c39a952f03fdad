"""A standalone cluster on this machine: a master and two workers, as processes of their own."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pyspark

HOME = Path(pyspark.__file__).parent


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Cluster:
    """A master and workers; `stop` ends them, and nothing else."""

    def __init__(self, folder, workers=2, cores=1, memory="700m"):
        self.folder = Path(folder)
        self.port = free_port()
        self.master = f"spark://127.0.0.1:{self.port}"
        self.env = {
            **os.environ,
            "SPARK_HOME": str(HOME),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "300m",
            "SPARK_LOCAL_DIRS": str(self.folder / "local"),
            "PYSPARK_PYTHON": sys.executable,
            "PYSPARK_DRIVER_PYTHON": sys.executable,
        }
        os.environ.update({name: self.env[name] for name in self.env if "SPARK" in name})
        self.processes = []
        try:
            self._start("master.Master", "--port", str(self.port))
            self._wait("master", "I have been elected leader")
            for number in range(workers):
                work = str(self.folder / f"work{number}")
                arguments = ["--cores", str(cores), "--memory", memory, "--work-dir", work, self.master]
                self._start("worker.Worker", *arguments, name=f"worker{number}")
            for number in range(workers):
                self._wait(f"worker{number}", "Successfully registered with master")
        except BaseException:
            self.stop()
            raise

    def _start(self, what, *arguments, name="master"):
        run = [str(HOME / "bin" / "spark-class"), f"org.apache.spark.deploy.{what}"]
        run += ["--host", "127.0.0.1", "--webui-port", "0", *arguments]
        with open(self.folder / f"{name}.log", "wb") as log:
            process = subprocess.Popen(
                run, env=self.env, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )
        self.processes.append(process)

    def _wait(self, name, text):
        log = self.folder / f"{name}.log"
        deadline = time.monotonic() + 120
        while text not in log.read_text(errors="replace"):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{name} did not start: {log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.1)

    def session(self, **settings):
        """A session on it, with an executor on each worker."""
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master(self.master).appName("linksift-tests")
        defaults = {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.memory": "700m",
            "spark.executor.memory": "500m",
            "spark.executor.cores": "1",
            "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": "4",
            "spark.sql.warehouse.dir": str(self.folder / "warehouse"),
        }
        for name, value in {**defaults, **settings}.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        return session

    def inside(self, mark):
        """The processes of the workers whose command has this mark."""
        parents = {}
        commands = {}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            with contextlib.suppress(OSError):
                stat = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                parents[int(entry.name)] = int(stat[1])
                commands[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        ours = {process.pid for process in self.processes}

        def is_ours(pid):
            while pid in parents:
                if pid in ours:
                    return True
                pid = parents[pid]
            return False

        return [pid for pid, command in commands.items() if mark in command and is_ours(pid)], parents

    def executors(self):
        """Java processes that run tasks."""
        pids, _ = self.inside("CoarseGrainedExecutorBackend")
        return pids

    def python_workers(self):
        """Python processes that run tasks: what the daemons forked."""
        pids, parents = self.inside("pyspark.daemon")
        return [pid for pid in pids if parents.get(pid) in pids]

    def stop(self):
        for process in reversed(self.processes):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        shutil.rmtree(self.folder / "local", ignore_errors=True)
