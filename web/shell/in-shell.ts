// Whether an error screen is inside the shell.
import { createContext } from 'react'

export const InShell = createContext(false)
