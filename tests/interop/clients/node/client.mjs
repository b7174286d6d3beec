// @modelcontextprotocol/client: client.mjs legacy|auto|modern http|stdio TARGET…
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {ask, command, follow} from './driven.mjs';

const [mode, transport, ...target] = process.argv.slice(2);
const client = new Client(
  {name: 'interop-client', version: '1'},
  {capabilities: {elicitation: {form: {}}}, versionNegotiation: {mode: mode === 'modern' ? {pin: '2026-07-28'} : mode}},
);
client.setRequestHandler('elicitation/create', request => ask(request.params));
await client.connect(
  transport === 'http' ? new StreamableHTTPClientTransport(new URL(target[0])) : new StdioClientTransport(command(target)),
);
follow({
  version: client.getNegotiatedProtocolVersion(),
  list: async () => (await client.listTools()).tools,
  call: (name, args) => client.callTool({name, arguments: args}),
  close: () => client.close(),
});
