// A move in a process of its own that kills itself at a step. Arguments: the step, then the two
// storage configurations as JSON.
import { moveBlog } from '#backend/archive/move.ts'

const [lastStep, from = '', to = ''] = process.argv.slice(2)
await moveBlog(JSON.parse(from), JSON.parse(to), {
  onProgress: () => {},
  onStep: (step) => {
    if (step === lastStep) process.kill(process.pid, 'SIGKILL')
  },
})
