// The half that all Node clients share: lines in, lines out. See tests/interop/driven.rs for what they mean.
import {createInterface} from 'node:readline';

const say = line => process.stdout.write(JSON.stringify(line) + '\n');
const waiting = [];
const early = [];

/** What whoever drives this program says to a question. */
export function ask(params) {
  say({asked: params});
  return new Promise(resolve => (early.length ? resolve(early.shift()) : waiting.push(resolve)));
}

/** Reads lines until the input ends. */
export function follow({version, list, call, close}) {
  say({connected: {version}});
  const lines = createInterface({input: process.stdin});
  lines.on('line', async text => {
    const line = JSON.parse(text);
    if (line.answer) {
      if (waiting.length) waiting.shift()(line.answer);
      else early.push(line.answer);
      return;
    }
    try {
      say(line.do === 'list' ? {tools: (await list()).map(tool => tool.name)} : {result: await call(line.tool, line.arguments)});
    } catch (error) {
      say({error: String(error)});
    }
  });
  lines.on('close', async () => {
    await close();
    process.exit(0);
  });
}

/** The server's process takes over the whole environment: its settings are there. */
export const command = ([program, ...args]) => ({command: program, args, env: {...process.env}, stderr: 'inherit'});
