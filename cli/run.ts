import { CommanderError } from 'commander';
import { version } from '../core/version.ts';
import { completionFor } from './completion/completion.ts';
import { readSettings } from './config/settings.ts';
import { addressNamed, chainOf } from './features.ts';
import type { Io } from './io/io.ts';
import { createUi, type Format, type Ui } from './io/ui.ts';
import { clientIn } from './lib/clientIn.ts';
import type { Context } from './lib/context.ts';
import { failureOf } from './lib/describe.ts';
import { exitCodes, fail, failureJson, failureText } from './lib/failure.ts';
import type { Given } from './lib/fields.ts';
import type { Options } from './lib/options.ts';
import { createProgram } from './lib/program.ts';
import { root } from './root.ts';

const graceMs = 200;

/** Runs one command. `args` follow the name of the program. Returns the exit code. */
export async function run(program: string, args: readonly string[], io: Io): Promise<number> {
  let ui: Ui | undefined;
  let isJson = args.includes('--json') || args.includes('--ndjson');
  let given: Given | undefined;
  const commands = createProgram(root, {
    name: program,
    version,
    out: (text) => io.stdout.write(text),
    err: () => {},
    columns: io.stdout.columns,
    async act(spec, call) {
      ui = uiFor(io, call.options);
      isJson = ui.format !== 'text';
      given = { spec, options: call.options };
      // A wait that cannot begin must not be found out after something was created.
      if (call.options.durationMs('timeout') === 0) {
        throw fail('usage', '--timeout 0 leaves no time to wait.', 'Write 90s, 10m or 1h30m.');
      }
      const running = spec.run?.(contextFor({ io, ui, program }, call.options), call);
      await Promise.race([running, interruption(io)]);
    },
  });
  try {
    await commands.parseAsync([...args], { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof CommanderError) return exitCodes.ok;
    ui?.end();
    const failure = failureOf(error, { ...io, profile: given?.options.text('profile'), given });
    // The command has said it already.
    if (failure.message === '') return exitCodes[failure.exit];
    io.stderr.write(isJson ? failureJson(failure) : failureText(failure));
    return exitCodes[failure.exit];
  } finally {
    ui?.end();
  }
}

/** Rejects a moment after an interruption: the command itself may have more to say about how it ended. */
function interruption({ signal, clock }: Io): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => void clock.after(graceMs, () => reject(signal.reason));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

function uiFor(io: Io, options: Options): Ui {
  const { NO_COLOR, TERM, CI } = io.env;
  return createUi(io, {
    format: formatOf(options),
    isQuiet: options.isSet('quiet'),
    isPlain: Boolean(NO_COLOR || CI || TERM === 'dumb'),
  });
}

function formatOf(options: Options): Format {
  if (options.isSet('json')) return 'json';
  return options.isSet('ndjson') ? 'ndjson' : 'text';
}

function contextFor({ io, ui, program }: Pick<Context, 'io' | 'ui' | 'program'>, options: Options): Context {
  const choice = { profile: options.text('profile'), workspace: options.text('workspace') };
  const settings = () => readSettings({ env: io.env, home: io.home, ...choice });
  const client = async () => {
    const sdk = await clientIn(await settings(), io, ui);
    return { ...sdk, chain: chainOf?.(sdk) };
  };
  return {
    io,
    ui,
    program,
    completionFor: (shell) => completionFor(root, shell),
    choice,
    settings,
    client,
    addressNamed: async (name) => addressNamed?.(await client(), name, io.signal),
  };
}
