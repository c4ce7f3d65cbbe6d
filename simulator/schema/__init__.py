"""JSON Schemas: of the files that people write, for their editors, and of traces."""

from simulator.schema.agent import agent_schema
from simulator.schema.flow import flow_schema
from simulator.schema.scenario import scenario_schema
from simulator.schema.trace import trace_schema

__all__ = ["agent_schema", "flow_schema", "scenario_schema", "trace_schema"]
