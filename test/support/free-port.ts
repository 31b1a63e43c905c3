// For tests beside the backend's code, which do not import scripts themselves.
export { findPort } from '#scripts/processes.ts'
