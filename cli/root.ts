import { invitationCommand } from './commands/access/invitation.ts';
import { keyCommand } from './commands/access/key.ts';
import { memberCommand } from './commands/access/member.ts';
import { apiCommand } from './commands/api.ts';
import { applyCommands } from './commands/apply.ts';
import { authCommands } from './commands/auth.ts';
import { completionCommand } from './commands/completion.ts';
import { contractCommand } from './commands/contract.ts';
import { eventsCommand } from './commands/events.ts';
import { mcpCommand } from './commands/mcp.ts';
import { networkCommand } from './commands/network/network.ts';
import { recordingCommand } from './commands/recording/recording.ts';
import { replayCommand } from './commands/recording/replay.ts';
import { secretCommand } from './commands/secret.ts';
import { sendCommand } from './commands/send.ts';
import { snapshotCommand } from './commands/snapshot.ts';
import { tokenCommand } from './commands/token/token.ts';
import { transactionCommand } from './commands/transaction.ts';
import { workspaceCommand } from './commands/workspace.ts';
import { features } from './features.ts';
import type { CommandSpec } from './lib/spec.ts';

/** Every command. Help, completion and the reference derive from it. */
export const root: CommandSpec = {
  usage: 'slipway',
  summary: 'Blockchain networks, secrets, tokens and transactions, from the command line.',
  children: [
    networkCommand,
    snapshotCommand,
    secretCommand,
    tokenCommand,
    transactionCommand,
    recordingCommand,
    replayCommand,
    sendCommand,
    contractCommand,
    ...applyCommands,
    eventsCommand,
    workspaceCommand,
    keyCommand,
    memberCommand,
    invitationCommand,
    ...features.flatMap(({ commands = [] }) => commands),
    apiCommand,
    mcpCommand,
    ...authCommands,
    completionCommand,
  ],
};
