"""JSON Schemas of the files that people write, for their editors."""

from simulator.schema.agent import agent_schema
from simulator.schema.flow import flow_schema
from simulator.schema.scenario import scenario_schema

__all__ = ["agent_schema", "flow_schema", "scenario_schema"]
