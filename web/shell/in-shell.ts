// Tells an error screen whether the shell stands around it.
import { createContext } from 'react'

export const InShell = createContext(false)
