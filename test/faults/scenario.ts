// A scenario of `npm run test:faults` and its outcome.

/** Figures of one scenario, as they are printed; `lost` must be 0. */
export type Outcome = {
  acknowledged: number
  /** Acknowledged writes that are missing afterwards, or without their bytes. */
  lost: number
  /** Other faults; empty if there were none. */
  faults: string[]
  /** More figures, as short texts. */
  notes: string[]
}

export type Scenario = { name: string; run: () => Promise<Outcome> }

/** Collects faults. */
export function makeChecks() {
  const faults: string[] = []
  return {
    faults,
    expect(isRight: boolean, fault: string): void {
      if (!isRight) faults.push(fault)
    },
  }
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
