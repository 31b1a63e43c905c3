// The thread in which the server examines itself: checking a large database and all files would
// block requests. Sends all findings at once.
import { parentPort, workerData } from 'node:worker_threads'
import { examine } from './doctor.ts'
import type { Examination, Finding } from './finding.ts'

const { isLocal, ...patient } = workerData as Examination
const found: Finding[] = []
for await (const finding of examine({ ...patient, now: () => new Date() }, { isLocal }))
  found.push(finding)
parentPort?.postMessage(found)
