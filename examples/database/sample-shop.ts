import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'

/** Makes a small SQLite file in a folder of its own, and returns its path. */
export async function createSampleShop(): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'sample-shop-')), 'shop.db')
  const database = new Database(path)
  database.exec(`
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, euros REAL, status TEXT);
    CREATE VIEW open_orders AS SELECT * FROM orders WHERE status = 'open';
    INSERT INTO customers VALUES (1, 'Ada', 'London'), (2, 'Grace', 'New York'), (3, 'Linus', 'Helsinki');
    INSERT INTO orders VALUES
      (1, 1, 250, 'open'), (2, 1, 30, 'paid'), (3, 2, 120.5, 'open'), (4, 3, 80, 'open'), (5, 3, 900, 'paid');
  `)
  database.close()
  return path
}
