import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

const iterations = 4_096;

/**
 * Returns the verifier that PostgreSQL (10 and newer) stores for a password. Sending it instead of
 * the password keeps the password out of statements and server logs.
 */
export async function scramVerifier(
  password: string,
  salt: Buffer = randomBytes(16),
): Promise<string> {
  const salted = await promisify(pbkdf2)(password, salt, iterations, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const serverKey = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
