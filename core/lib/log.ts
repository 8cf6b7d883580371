import winston from 'winston';
import { redact } from './redact.ts';

export type LogFields = Record<string, string | number | boolean | undefined>;

/** Structured log: one JSON line per call. Fields never carry secret bytes. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log that adds `fields` to every line. */
  with(fields: LogFields): Log;
}

/**
 * A log to standard output. `level` is one of debug, info, warn, error; `contextOf` returns fields that say what a line belongs
 * to.
 */
export function createLog(component: string, level = 'info', contextOf?: () => LogFields | undefined): Log {
  const withContext = winston.format((line) => Object.assign(line, contextOf?.()));
  const logger = winston.createLogger({
    level,
    defaultMeta: { component },
    format: winston.format.combine(
      withContext(),
      redacted(),
      winston.format.timestamp(),
      winston.format.json(),
    ),
    transports: [new winston.transports.Console()],
  });
  return wrap(logger);
}

/** Messages of libraries may quote what they were given. */
const redacted = winston.format((line) => {
  for (const [name, value] of Object.entries(line)) if (typeof value === 'string') line[name] = redact(value);
  return line;
});

function wrap(logger: winston.Logger): Log {
  return {
    debug: (message, fields) => void logger.debug(message, fields),
    info: (message, fields) => void logger.info(message, fields),
    warn: (message, fields) => void logger.warn(message, fields),
    error: (message, fields) => void logger.error(message, fields),
    with: (fields) => wrap(logger.child(fields)),
  };
}

/** A log that discards everything, for tests. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => silentLog,
};
