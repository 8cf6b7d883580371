import type { Handlers } from '../http/pipeline/handler.ts';
import type { RecordingDeps } from './deps.ts';
import { getRecording, getRecordingDocument, listActiveRecordings, listRecordings } from './read.ts';
import { deleteRecording } from './remove.ts';
import { startRecording } from './start.ts';
import { stopRecording } from './stop.ts';

/** The handlers of all operations on recordings except replay. */
export function createRecordingHandlers(deps: RecordingDeps) {
  return {
    startRecording: startRecording(deps),
    stopRecording: stopRecording(deps),
    listRecordings: listRecordings(deps),
    listActiveRecordings: listActiveRecordings(deps),
    getRecording: getRecording(deps),
    getRecordingDocument: getRecordingDocument(deps),
    deleteRecording: deleteRecording(deps),
  } satisfies Handlers;
}
