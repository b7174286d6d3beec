// @modelcontextprotocol/sdk, which knows the 2025 revisions only: sdk.mjs legacy http|stdio TARGET…
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {ElicitRequestSchema} from '@modelcontextprotocol/sdk/types.js';
import {ask, command, follow} from './driven.mjs';

const [, transport, ...target] = process.argv.slice(2);
const client = new Client({name: 'interop-sdk', version: '1'}, {capabilities: {elicitation: {}}});
client.setRequestHandler(ElicitRequestSchema, request => ask(request.params));
const wire =
  transport === 'http' ? new StreamableHTTPClientTransport(new URL(target[0])) : new StdioClientTransport(command(target));
let version;
// The client tells its transport which revision was agreed on, and nobody else.
wire.setProtocolVersion = ((set, agreed) => {
  version = agreed;
  return set?.call(wire, agreed);
}).bind(null, wire.setProtocolVersion);
await client.connect(wire);
follow({
  version,
  list: async () => (await client.listTools()).tools,
  call: (name, args) => client.callTool({name, arguments: args}),
  close: () => client.close(),
});
