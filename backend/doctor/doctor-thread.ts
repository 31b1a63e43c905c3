// The thread in which the server runs the doctor on its own blog: checking a large database and all
// files would block requests. Sends all findings in one message.
import { parentPort, workerData } from 'node:worker_threads'
import { examine } from './doctor.ts'
import type { Examination, Finding } from './finding.ts'

const { isLocal, ...context } = workerData as Examination
const findings: Finding[] = []
for await (const finding of examine({ ...context, now: () => new Date() }, { isLocal }))
  findings.push(finding)
parentPort?.postMessage(findings)
